/** Questions about the source of Linux, each with the files in which whoever knows it would look. */

export interface Question {
  readonly asks: string;
  /** One of them is enough. */
  readonly answers: readonly string[];
}

/** The parts of the tree that the questions are about: what every machine runs, without drivers and architectures. */
export const PARTS = [
  'block',
  'crypto',
  'fs',
  'include',
  'init',
  'io_uring',
  'ipc',
  'kernel',
  'lib',
  'mm',
  'net',
  'security',
  'virt',
];

export const QUESTIONS: readonly Question[] = [
  { asks: 'pick the next task in the completely fair scheduler', answers: ['kernel/sched/fair.c'] },
  { asks: 'how a process is forked and its memory copied', answers: ['kernel/fork.c'] },
  { asks: 'out of memory killer chooses a victim', answers: ['mm/oom_kill.c'] },
  { asks: 'slab allocator takes an object from the cpu freelist', answers: ['mm/slub.c', 'mm/slab.c'] },
  { asks: 'page fault on anonymous memory, copy on write', answers: ['mm/memory.c'] },
  { asks: 'kswapd reclaims pages from lru lists', answers: ['mm/vmscan.c'] },
  { asks: 'memory mapped regions are merged: vma_merge', answers: ['mm/mmap.c'] },
  { asks: 'collapse pages into a transparent huge page', answers: ['mm/khugepaged.c'] },
  { asks: 'congestion window growth of tcp cubic', answers: ['net/ipv4/tcp_cubic.c'] },
  {
    asks: 'where a tcp reset is sent',
    answers: ['net/ipv4/tcp_output.c', 'net/ipv4/tcp_ipv4.c', 'net/ipv6/tcp_ipv6.c'],
  },
  { asks: 'tcp retransmission timeout timer', answers: ['net/ipv4/tcp_timer.c'] },
  {
    asks: 'route lookup in the fib trie',
    answers: ['net/ipv4/fib_trie.c', 'net/ipv4/fib_frontend.c', 'net/ipv4/route.c'],
  },
  { asks: 'arp reply and neighbour resolution', answers: ['net/ipv4/arp.c', 'net/core/neighbour.c'] },
  {
    asks: 'pass file descriptors over a unix domain socket',
    answers: ['net/unix/af_unix.c', 'net/unix/garbage.c', 'net/core/scm.c'],
  },
  { asks: 'connection tracking confirms a new tuple', answers: ['net/netfilter/nf_conntrack_core.c'] },
  { asks: 'forwarding database of the ethernet bridge', answers: ['net/bridge/br_fdb.c'] },
  { asks: 'ext4 multi block allocator', answers: ['fs/ext4/mballoc.c'] },
  { asks: 'commit a transaction of the journal', answers: ['fs/jbd2/commit.c'] },
  { asks: 'path lookup follows a symlink', answers: ['fs/namei.c'] },
  { asks: 'copy the mount namespace', answers: ['fs/namespace.c'] },
  {
    asks: 'load the segments of an elf binary at exec',
    answers: ['fs/binfmt_elf.c', 'fs/binfmt_elf_fdpic.c'],
  },
  { asks: 'pipe_write buffers', answers: ['fs/pipe.c'] },
  { asks: 'epoll waits for ready events', answers: ['fs/eventpoll.c'] },
  { asks: 'add an inotify watch', answers: ['fs/notify/inotify/inotify_user.c'] },
  { asks: 'copy up a file in overlayfs', answers: ['fs/overlayfs/copy_up.c'] },
  { asks: 'dentry cache lookup hash', answers: ['fs/dcache.c'] },
  { asks: 'dirty inodes are written back', answers: ['fs/fs-writeback.c'] },
  {
    asks: 'futex wait and requeue',
    answers: ['kernel/futex/requeue.c', 'kernel/futex/waitwake.c', 'kernel/futex/core.c'],
  },
  { asks: 'send a signal to every thread of a group', answers: ['kernel/signal.c'] },
  { asks: 'rcu grace period kthread', answers: ['kernel/rcu/tree.c'] },
  { asks: 'timer wheel: expire timers', answers: ['kernel/time/timer.c'] },
  { asks: 'hrtimer_start_range_ns', answers: ['kernel/time/hrtimer.c'] },
  { asks: 'migrate tasks to another cgroup', answers: ['kernel/cgroup/cgroup.c'] },
  { asks: 'seccomp runs its filters', answers: ['kernel/seccomp.c'] },
  { asks: 'the bpf verifier checks bounds of pointer arithmetic', answers: ['kernel/bpf/verifier.c'] },
  { asks: 'resolve symbols when a module is loaded', answers: ['kernel/module/main.c'] },
  { asks: 'find the name of a kernel symbol by its address', answers: ['kernel/kallsyms.c'] },
  { asks: 'create a worker for a workqueue', answers: ['kernel/workqueue.c'] },
  { asks: 'mutex optimistic spinning', answers: ['kernel/locking/mutex.c', 'kernel/locking/rwsem.c'] },
  { asks: 'lock dependency validator finds a circular dependency', answers: ['kernel/locking/lockdep.c'] },
  { asks: 'rebalance a red black tree after insertion', answers: ['lib/rbtree.c'] },
  { asks: 'xarray store an entry', answers: ['lib/xarray.c'] },
  { asks: 'sha256 transform of a block', answers: ['lib/crypto/sha256.c', 'crypto/sha256_generic.c'] },
  { asks: 'access vector cache of selinux', answers: ['security/selinux/avc.c'] },
  { asks: 'apparmor profile transition on exec', answers: ['security/apparmor/domain.c'] },
  { asks: 'attach a shared memory segment: do_shmat', answers: ['ipc/shm.c'] },
  { asks: 'submit requests from the io_uring submission queue', answers: ['io_uring/io_uring.c'] },
  { asks: 'merge a bio into a request', answers: ['block/blk-merge.c'] },
  { asks: 'dispatch requests of hardware queues', answers: ['block/blk-mq.c', 'block/blk-mq-sched.c'] },
];
