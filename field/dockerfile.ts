/** One line of a Dockerfile: `RUN npm ci` has the keyword RUN and the rest `npm ci`. */
export type Instruction = { readonly keyword: string; readonly rest: string };

export type DockerStage = {
  /** The name behind AS; empty for the last stage. */
  readonly name: string;
  /** The base image, with arguments replaced by their defaults. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
};

const keywords = ['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'ENTRYPOINT', 'CMD'];

/** The stages of a Dockerfile with one instruction a line. Throws on any other syntax. */
export function readDockerfile(text: string): readonly DockerStage[] {
  const defaults = new Map<string, string>();
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, keyword = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (!keywords.includes(keyword) || rest.endsWith('\\')) throw new Error(`not understood: ${line}`);
    if (keyword === 'ARG') {
      const [name = '', value = ''] = rest.split('=');
      defaults.set(name, value);
    } else if (keyword === 'FROM') {
      const [image = '', , name = ''] = rest.split(' ');
      const from = image.replace(/\$\{(\w+)\}/g, (_, argument: string) => defaults.get(argument) ?? '');
      stages.push({ name, from, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ keyword, rest });
    }
  }
  return stages;
}
