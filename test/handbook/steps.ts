/** What a reader does with a fenced block of a page. `line` is the line of the page on which the block begins. */
export type Step =
  /** Runs it. With `stays` it is left running, and the reader goes on in another terminal. */
  | {
      does: 'run'
      language: 'sh' | 'ts' | 'python'
      text: string
      stays: boolean
      shown?: Shown
      line: number
    }
  /** Looks at what the programs that are still running have printed meanwhile. */
  | { does: 'look'; text: string; line: number }
  | { does: 'save'; path: string; text: string; line: number }
  /** Finds it in a file of the repository. */
  | { does: 'find'; path: string; text: string; line: number }
  /** Changes a file as a diff says: lines with `-` go, lines with `+` come. */
  | { does: 'change'; path: string; text: string; line: number }
  /** Presses Ctrl-C in the terminal of the program that was started last. */
  | { does: 'stop'; line: number }
  | { does: 'leave out'; reason: string; line: number }

/** The answer that a page shows for a block that is run. */
export interface Shown {
  isJson: boolean
  text: string
  line: number
}

interface Block {
  language: string
  text: string
  line: number
  /** The text between the block before and this one. */
  before: string
  /** The last paragraph of it, in one line. */
  lead: string
}

const languages: Record<string, 'sh' | 'ts' | 'python'> = {
  sh: 'sh',
  bash: 'sh',
  ts: 'ts',
  typescript: 'ts',
  python: 'python',
}
const answers = ['json', 'text', 'http', 'csv']

/** The cues of the text before a block. */
const leftOut = /Not run by the tests: (.+?)[.:]?\*?$/
const saved = /\b(?:save|put|write|change)\b[^`.]*\b(?:as|in|into|to)\b[^`.]*`([^`\s]+)`[^`]*$/i
const changed = /\bin `([^`\s]+)`[^`]*:$/i
const quoted = /\bfrom `((?:src|drivers|test|image|systemd)\/[^`\s]+)`:$/i
const elsewhere = /\bterminal\b.*\b(?:shows?|prints?)\b|\b(?:shows?|prints?)\b.*\bterminal\b/i
const stopped = /\bstop\b[^.]*\bCtrl-C\b/i
/** In the last sentence before the block, which is about it. */
const leftRunning = /\b(?:leave|keep) (?:it|them|this) running\b[^.!?,]*$/i
/** Programs that do not end by themselves. */
const endless =
  /\bnpm start\b|\bnightporter(?:\.js)? (?:serve|simulate (?!--help|misbehave))|\bcurl (?:[^|]* )?-\w*N/

/** Returns the steps of a page in its order. Throws with the line of a block that a reader could do nothing with. */
export function stepsOf(markdown: string): Step[] {
  const { blocks, after } = blocksOf(markdown)
  const steps: Step[] = []
  for (const block of blocks) {
    if (stopped.test(block.before)) steps.push({ does: 'stop', line: block.line })
    const step = stepOf(block, steps.at(-1))
    if (step) steps.push(step)
  }
  if (stopped.test(after.text)) steps.push({ does: 'stop', line: after.line })
  return steps
}

function stepOf(block: Block, last: Step | undefined): Step | null {
  const { language, text, line, lead } = block
  const reason = leftOut.exec(lead)?.[1]
  if (reason) return { does: 'leave out', reason, line }
  const saveAs = saved.exec(lead)?.[1]
  if (saveAs && language !== 'diff') return { does: 'save', path: saveAs, text, line }
  const target = language === 'diff' && changed.exec(lead)?.[1]
  if (target) return { does: 'change', path: target, text, line }
  const source = quoted.exec(lead)?.[1]
  if (source) return { does: 'find', path: source, text, line }
  const runs = languages[language]
  if (runs) {
    const stays = runs === 'sh' ? leftRunning.test(lead) || endless.test(text) : leftRunning.test(lead)
    return { does: 'run', language: runs, text, stays, line }
  }
  if (answers.includes(language)) return answerOf(block, last)
  if (language === '' && !/^\s*(\$ |curl|npm|npx|nightporter|GET|POST|PUT|PATCH|DELETE)\b/m.test(text))
    return null
  throw new Error(
    `line ${line}: say what a \`\`\`${language} block is: a command, an answer, or a file to save.`,
  )
}

function answerOf({ language, text, line, lead }: Block, last: Step | undefined): Step | null {
  if (elsewhere.test(lead)) return { does: 'look', text, line }
  // The answer of a block that is not run is not looked at either.
  if (last?.does === 'leave out') return null
  if (last?.does !== 'run' || last.shown)
    throw new Error(
      `line ${line}: there is no command before it whose answer this is, and no file to save it as.`,
    )
  last.shown = { isJson: language === 'json', text, line }
  return null
}

function blocksOf(markdown: string): { blocks: Block[]; after: { text: string; line: number } } {
  const blocks: Block[] = []
  let text: string[] = []
  let open: { fence: string; indent: number; language: string; line: number; lines: string[] } | null = null
  const lines = markdown.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, indent = '', fence = '', language = ''] = /^(\s*)(```+|~~~+)\s*(\S*)/.exec(line) ?? []
    if (open && fence.startsWith(open.fence)) {
      const before = text.join('\n')
      blocks.push({ ...open, text: `${open.lines.join('\n')}\n`, before, lead: leadOf(before) })
      open = null
      text = []
    } else if (open) open.lines.push(line.slice(Math.min(open.indent, /^\s*/.exec(line)![0].length)))
    else if (fence) open = { fence, indent: indent.length, language, line: index + 1, lines: [] }
    else text.push(line)
  }
  if (open) throw new Error(`line ${open.line}: the block has no end.`)
  return { blocks, after: { text: text.join('\n'), line: lines.length } }
}

function leadOf(before: string): string {
  return (
    before
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  )
    .replaceAll(/\s+/g, ' ')
    .trim()
}
