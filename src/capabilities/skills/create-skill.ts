/** The built-in skill: how a skill is written. */

export const CREATE_SKILL = `---
name: create-skill
description: Create a new skill, or improve one. Use it when the user wants to write, author, package or share a skill (SKILL.md) that teaches agents a procedure.
---

# Create a skill

A skill is a folder with a file \`SKILL.md\`: instructions that an agent loads when a task calls for them.

## Where it goes

- \`.agents/skills/<name>/\` in the workspace, for everybody who works on it. It counts after a person ran \`handrail trust\`; any change to it has to be trusted again.
- \`~/.agents/skills/<name>/\`, for the user alone, in every workspace. You can't write there: give the user the files.

## Steps

1. Ask what the skill is for, and for one or two real examples of the task. Leave out what any agent knows already.
2. Choose a name: lower-case letters, digits and hyphens, such as \`release-notes\`. The folder has the same name.
3. Write \`SKILL.md\`:

   \`\`\`markdown
   ---
   name: release-notes
   description: Write release notes from merged changes. Use it when the user asks for a changelog, release notes or a summary of a version.
   ---

   # Release notes

   1. …
   \`\`\`

   The description decides when the skill is used: say what it does and when, in the words a user would use. Quote it where it holds a colon.
4. Keep \`SKILL.md\` short: steps, decisions, pitfalls, and how to check the result. Put long references into files beside it (\`references/\`), programs into \`scripts/\`, and name them in the text with paths from the skill's folder.
5. No secrets, no machine-specific paths, nothing the user did not ask for.
6. Tell the user to run \`handrail trust\`, then \`handrail skills list\`, and try the skill on one of the examples.
`;
