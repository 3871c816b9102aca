/** What agents keep for themselves and for each other, as people and the agent loop get it: no tool reaches this. */
import { matchSkills } from './capabilities/skills/match-skills.ts';
import { skillsUse } from './capabilities/skills/use.ts';
import { type ActParts, auditedAct } from './journal/audited-act.ts';
import { scopeOf } from './runtime/memories.ts';
import { toldMemories } from './runtime/scoped-memories.ts';
import { visibleSkills } from './runtime/scoped-skills.ts';
import { isEnabled, type Session } from './runtime/session.ts';
import type { Skill } from './runtime/skills.ts';
import type { Spine } from './runtime/spine.ts';
import type { Runtime } from './runtime-types.ts';

/** That part of a runtime; `own` is the session of whoever has none. */
export function agentNotes(
  spine: Spine,
  parts: ActParts,
  own: Session,
): Pick<Runtime, 'todos' | 'memories' | 'memory' | 'skills' | 'skillsFor' | 'triggerSkills'> {
  const { todos, memories, skills, audit } = spine;
  return {
    skills: () => skills.find(),
    skillsFor: async (session) =>
      (await skillsOf(spine, session)).map(({ name, description }) => ({ name, description })),
    async triggerSkills(session, text, loaded = []) {
      const known = new Set(loaded);
      const unknown = (await skillsOf(spine, session)).filter(({ name }) => !known.has(name));
      const about = { session: session.id, dialect: 'agent', name: 'skills.use', rule: 'skill-trigger' };
      const triggered = matchSkills(text, unknown).map(({ skill, why }) => {
        const { name, description, content, files } = skill;
        const args = { action: 'load', name, why };
        return auditedAct(parts, audit, { ...about, args, by: 'trigger' }, async (act) => {
          act.decided([{ permission: 'skill.load', resource: name, resolved: name }]);
          return { name, description, content, files, why };
        });
      });
      return Promise.all(triggered);
    },
    todos: ({ id }) => todos.read(id),
    memories: async ({ id }) => toldMemories(await memories.find(id)),
    memory: {
      find: (query) => memories.find(undefined, query),
      get: (id) => memories.get(undefined, id),
      remove: (id, by = 'library') =>
        auditedAct(
          parts,
          audit,
          { session: own.id, dialect: 'human', name: 'memory.change', args: { id }, rule: 'human', by },
          async (act) => {
            const resource = `memory:${scopeOf(id)}`;
            act.decided([{ permission: 'state.write', resource, resolved: resource }]);
            return memories.remove(undefined, id);
          },
        ),
    },
  };
}

/** The skills that an agent could load: none where it has no tool for that, and none that is denied to it. */
async function skillsOf(spine: Spine, session: Session): Promise<readonly Skill[]> {
  const tool = [...session.dialect.tools.values()].find(({ operation }) => operation === skillsUse)?.name;
  if (tool === undefined || !isEnabled(session.agent, tool)) return [];
  const call = { tool, effect: skillsUse.effect, accesses: [] };
  return visibleSkills((await spine.skills.find()).skills, call, spine.policyFor(session));
}
