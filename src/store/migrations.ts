/** The steps that lead from an empty file to the tables of the store. */

/** Applied in order; the store's user_version says how many it has seen. Never edit one, add another. */
export const MIGRATIONS: readonly string[] = [
  `
  create table audit_chains (
    id text primary key, owner text, state text not null, lines integer not null, bytes integer not null, head text not null
  ) strict;
  create table audit_calls (
    call_id text primary key, chain text not null, at integer not null, session text not null, workspace text not null,
    trace_id text not null, tool_call_id text not null, dialect text not null, name text not null, version text,
    outcome text, error_code text, decision text, rule text, duration_ms real
  ) strict;
  create index audit_calls_by_time on audit_calls (workspace, at);
  create table sessions (
    id text primary key, workspace text not null, dialect text not null, created_at integer not null
  ) strict;
  create table recorded_calls (
    session text not null, tool_call_id text not null, request_hash text not null, answer text,
    ended integer not null default 0, at integer not null, primary key (session, tool_call_id)
  ) strict;
  create table outputs (
    id text primary key, session text not null, at integer not null, body text not null
  ) strict;
  create index outputs_by_time on outputs (at);
  `,
  `
  create table turns (
    id text primary key, workspace text not null, session text not null, kind text not null,
    started_at integer not null, ended integer not null, undone_by text
  ) strict;
  create index turns_by_time on turns (workspace, started_at);
  create table changes (
    id integer primary key, turn text not null, call_id text not null, path text not null, before text not null,
    after text not null, object text, at integer not null
  ) strict;
  create index changes_by_turn on changes (turn);
  create index changes_by_object on changes (object);
  create table objects (hash text primary key, bytes integer not null, at integer not null) strict;
  `,
  `
  create table trust (workspace text primary key, hash text not null, at integer not null) strict;
  create table approvals (
    id text primary key, hash text not null, workspace text not null, session text not null, request text not null,
    state text not null, answer text, created_at integer not null, expires_at integer not null
  ) strict;
  create index approvals_by_state on approvals (state, created_at);
  create index approvals_by_hash on approvals (hash);
  create table approvers (owner text primary key, kind text not null, at integer not null) strict;
  `,
  `
  create table path_locks (
    workspace text not null, path text not null, owner text not null, primary key (workspace, path)
  ) strict, without rowid;
  `,
  `
  alter table approvals add column owner text not null default '';
  `,
  `
  alter table turns add column owner text;
  alter table objects drop column at;
  `,
  `
  create table takeovers (
    id text primary key, workspace text not null, turn text not null, call_id text not null,
    command text not null, first_row integer not null, last_row integer not null, owner text not null
  ) strict;
  `,
  `
  create table processes (
    id text primary key, name text, workspace text not null, session text not null, owner text not null,
    supervisor text not null, command text not null, directory text not null, kept integer not null,
    started_at integer not null, pid integer, identity text, tier text, network text, ended_at integer,
    ended_by text, exit_code integer, hosts text
  ) strict;
  create index processes_by_workspace on processes (workspace, started_at);
  create index running_processes on processes (workspace, session) where ended_at is null;
  create table supervisors (slot integer primary key, owner text not null, socket text not null) strict;
  `,
  `
  alter table turns add column undoing text;
  `,
  `
  create table previews (
    id text primary key, workspace text not null, session text not null, command text not null,
    started_at integer not null, expires_at integer not null, call_hash text, output text
  ) strict;
  `,
  `
  create table todo_lists (
    workspace text not null, session text not null, items text not null, at integer not null,
    primary key (workspace, session)
  ) strict;
  `,
  `
  create table projects (
    id text primary key, name text not null, root text not null unique, settings text not null, added_at integer not null
  ) strict;
  create unique index projects_by_spelling on projects (lower(id));
  `,
  `
  create table conversations (
    id text primary key, workspace text not null, title text not null, dialect text not null, agent text not null,
    model text not null, mode text not null, turns integer not null, at integer not null, summary text,
    summarised integer not null default 0, pruned integer not null default 0
  ) strict;
  create index conversations_by_time on conversations (workspace, at);
  create table conversation_entries (
    id integer primary key, conversation text not null, turn text not null, body text not null
  ) strict;
  create index entries_by_conversation on conversation_entries (conversation, id);
  `,
  `
  alter table outputs add column workspace text not null default '';
  update outputs set workspace = coalesce((select workspace from sessions where id = outputs.session), '');
  create table calls_by_workspace (
    workspace text not null, session text not null, tool_call_id text not null, request_hash text not null, answer text,
    ended integer not null default 0, at integer not null, primary key (workspace, session, tool_call_id)
  ) strict;
  insert into calls_by_workspace
    select coalesce(sessions.workspace, ''), session, tool_call_id, request_hash, answer, ended, at
    from recorded_calls left join sessions on sessions.id = session;
  drop table recorded_calls;
  alter table calls_by_workspace rename to recorded_calls;
  create table sessions_by_workspace (
    workspace text not null, id text not null, dialect text not null, created_at integer not null,
    primary key (workspace, id)
  ) strict;
  insert into sessions_by_workspace select workspace, id, dialect, created_at from sessions;
  drop table sessions;
  alter table sessions_by_workspace rename to sessions;
  `,
  `
  create table memories (
    id text primary key, scope text not null, workspace text, session text, title text not null,
    content text not null, created_at integer not null, updated_at integer not null, written_in text not null
  ) strict;
  create index memories_by_owner on memories (scope, workspace, session);
  `,
  `
  create table messages (
    id integer primary key, workspace text not null, session text not null, at integer not null, message text not null
  ) strict;
  create index messages_by_workspace on messages (workspace, id);
  `,
  `
  create table trusted (
    workspace text not null, folder text not null, hash text not null, at integer not null,
    primary key (workspace, folder)
  ) strict;
  insert into trusted select workspace, '.handrail', hash, at from trust;
  drop table trust;
  alter table trusted rename to trust;
  `,
  `
  alter table sessions add column owner text;
  alter table sessions add column agent text;
  create table sections (name text primary key, writes integer not null) strict, without rowid;
  ${[
    ['audit_chains', 'calls'],
    ['approvals', 'approvals'],
    ['turns', 'turns'],
    ['changes', 'turns'],
    ['messages', 'messages'],
    ['processes', 'processes'],
    ['sessions', 'sessions'],
    ['todo_lists', 'todos'],
    ['projects', 'projects'],
    ['memories', 'memory'],
    ['conversations', 'conversations'],
    ['trust', 'trust'],
  ]
    .flatMap(([table, section]) => [
      `insert or ignore into sections values ('${section}', 0);`,
      ...['insert', 'update', 'delete'].map(
        (act) => `create trigger ${table}_${act} after ${act} on ${table} begin
          update sections set writes = writes + 1 where name = '${section}'; end;`,
      ),
    ])
    .join('\n')}
  `,
  `
  alter table audit_calls add column about text;
  create index audit_calls_over_time on audit_calls (at, workspace, outcome, decision, name, duration_ms);
  create index audit_calls_by_session on audit_calls (session, at);
  `,
  `
  alter table sessions add column chosen text;
  `,
];
