/** Colours for code: how long each part is and what it is called. The text itself is never taken from here. */
import { common, createLowlight } from 'lowlight';

export interface Colour {
  readonly length: number;
  readonly name: string;
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

const lowlight = createLowlight(common);

/** The colours of each line. */
export function highlight(language: string, lines: readonly string[]): Colour[][] {
  const coloured: Colour[][] = [[]];
  const walk = (nodes: readonly Node[], name: string): void => {
    for (const node of nodes)
      if (node.type === 'element') walk(node.children, nameOf(node.properties['className']) ?? name);
      else if (node.type === 'text')
        node.value.split('\n').forEach((text, index) => {
          if (index > 0) coloured.push([]);
          if (text !== '') coloured.at(-1)!.push({ length: text.length, name });
        });
  };
  walk(lowlight.highlight(language, lines.join('\n')).children, '');
  return coloured;
}

function nameOf(classes: unknown): string | undefined {
  return Array.isArray(classes) ? String(classes[0]).replace(/^hljs-/, '') : undefined;
}
