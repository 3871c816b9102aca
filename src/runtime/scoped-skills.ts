/** Step 8's port to skills: one that the policy denies is not there. */
import { Failure } from '../failure.ts';
import { isDenied, type Policy, type PolicyCall } from '../policy/decide.ts';
import { nearest } from './nearest.ts';
import type { SessionSkills, Skill, SkillShelf } from './skills.ts';

export interface SkillScope {
  readonly shelf: SkillShelf;
  readonly call: PolicyCall;
  readonly policy: Policy;
}

/** The skills of one call. */
export function scopeSkills({ shelf, call, policy }: SkillScope): SessionSkills {
  const list = async (): Promise<readonly Skill[]> =>
    visibleSkills((await shelf.find()).skills, call, policy);
  return {
    list,
    async get(name) {
      if (!call.accesses.some(({ permission, resource }) => permission === 'skill.load' && resource === name))
        throw new Error(`The operation loads the skill ${name} without having declared it.`);
      const skills = await list();
      const found = skills.find((skill) => skill.name === name);
      if (found === undefined) throw notFound(name, skills);
      return found;
    },
  };
}

/** Those that are not denied. */
export function visibleSkills(skills: readonly Skill[], call: PolicyCall, policy: Policy): readonly Skill[] {
  return skills.filter(
    ({ name }) => !isDenied({ permission: 'skill.load', resource: name, resolved: name }, call, policy),
  );
}

function notFound(name: string, skills: readonly Skill[]): Failure {
  const names = skills.map((skill) => skill.name);
  const close = nearest(name, names);
  return new Failure('E_NOT_FOUND', `There is no skill ${JSON.stringify(name.slice(0, 100))}.`, {
    hint:
      close.length > 0
        ? `Did you mean ${close.join(' or ')}?`
        : 'The action list names those there are; `handrail skills list` also says which do not count, and why.',
  });
}
