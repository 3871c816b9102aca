/** A schema of arguments as fields of a form, and what was written into them as arguments. */

export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'yes-no' | 'choice' | 'json';
  readonly choices: readonly string[];
  readonly isNeeded: boolean;
  readonly description: string;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** One a property, those that are needed first. */
export function fieldsOf(schema: unknown): Field[] {
  const { properties = {}, required = [] } = schema as Schema;
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const choices = (property.enum ?? []).filter((one) => typeof one === 'string');
    return {
      name,
      kind: kindOf(property, choices),
      choices,
      isNeeded: required.includes(name),
      description: property.description ?? '',
    };
  });
  return [...fields.filter(({ isNeeded }) => isNeeded), ...fields.filter(({ isNeeded }) => !isNeeded)];
}

function kindOf({ type }: Schema, choices: readonly string[]): Field['kind'] {
  if (choices.length > 0) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'yes-no' : 'json';
}

/** What was written, by the name of its field; a field that is empty says nothing. Throws where something is no JSON. */
export function argumentsOf(
  fields: readonly Field[],
  written: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, isNeeded }) => {
      const text = written[name] ?? '';
      if (text === '' && !(isNeeded && kind === 'text')) return [];
      return [[name, kind === 'text' || kind === 'choice' ? text : valueIn(name, text)]];
    }),
  );
}

function valueIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${name} is not JSON.`, { cause: error });
  }
}
