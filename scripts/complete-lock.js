// Completes package-lock.json with the optional packages of other platforms. Where a registry lacks one of them, npm leaves it
// out of the lock, and `npm ci` then refuses the lock. Run it after every change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';

const LOCK = 'package-lock.json';
const OSES = {
  darwin: 'darwin',
  win32: 'win32',
  windows: 'win32',
  linux: 'linux',
  android: 'android',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  openharmony: 'openharmony',
};
const CPUS = {
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
};

const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
let added = 0;
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    const platform = platformOf(name);
    if (lock.packages[key] !== undefined || platform === undefined) continue;
    lock.packages[key] = { version, ...platform, ...(dev === true ? { dev } : {}), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(LOCK, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${added} packages of other platforms added to ${LOCK}.`);

/** What a package's name says about where it runs; undefined where it says nothing. */
function platformOf(name) {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const os = words.map((word) => OSES[word]).find((found) => found !== undefined);
  const cpu = words.map((word) => CPUS[word]).find((found) => found !== undefined);
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (os === undefined || cpu === undefined) return undefined;
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { cpu: [cpu], ...(libc === undefined || os !== 'linux' ? {} : { libc: [libc] }), os: [os] };
}
