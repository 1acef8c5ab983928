import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { patienceMs } from '../patience.ts'
import { deskFor } from './desk.ts'
import { differenceOfJson, differenceOfText, type Identities } from './matching.ts'
import type { Step } from './steps.ts'
import { type Ended, type Running, terminals } from './terminals.ts'

const root = join(import.meta.dirname, '../..')

/** Somebody who does what a page says, step by step, and compares what he sees with what it shows. */
export interface Reader {
  /** Starts the appliance as `start.md` says, for a page that does not start one itself. */
  begin(): Promise<void>
  /** Throws with the page's line where something else happens than the page shows. */
  follow(step: Step): Promise<void>
  leave(): Promise<void>
}

const interpreters = { ts: ['node', 'ts'], python: ['python3', 'py'] } as const

export async function readerOf(page: string, markdown: string): Promise<Reader> {
  const desk = await deskFor(markdown)
  const notes = mkdtempSync(join(tmpdir(), 'nightporter-notes-'))
  const shell = terminals(desk.folder, notes, desk.environment)
  const known: Identities = new Map()
  const running: Running[] = []

  /** Who reads an id in an answer types the one that he was given. */
  const typed = (text: string) =>
    desk.typed([...known].reduce((all, [shown, own]) => all.replaceAll(shown, own), text))
  const printed = ({ out, errors }: { out: string; errors: string }) => desk.asShown(out + errors)

  async function run({ text, language, shown, line }: Extract<Step, { does: 'run' }>): Promise<void> {
    const ended = await shell.run(commandsOf(text, language, line))
    const wrong = shown
      ? differenceFrom(shown, ended)
      : ended.failed && `this failed (${ended.status}): ${ended.failed}`
    assert.ok(!wrong, `${page}:${shown?.line ?? line}: ${wrong}. It printed:\n${printed(ended)}`)
  }

  function differenceFrom({ isJson, text }: { isJson: boolean; text: string }, ended: Ended): string | null {
    return isJson
      ? differenceOfJson(text, desk.asShown(ended.out), known)
      : differenceOfText(text, printed(ended), known)
  }

  async function stay({ text, language, shown, line }: Extract<Step, { does: 'run' }>): Promise<void> {
    const program = await shell.stay(commandsOf(text, language, line))
    running.push(program)
    const isServing = /\bnpm start\b|\bnightporter serve\b/.test(text)
    const isThere = () => {
      const seen = printed(program.printed())
      if (shown) return differenceOfText(shown.text, seen, known, true) === null
      return isServing ? seen.includes('nightporter listens on') : seen !== ''
    }
    // A stream has nothing to say until something happens.
    const isQuiet = !shown && /\bcurl\b/.test(text)
    if (isQuiet) await pause(500)
    else
      await until(
        isThere,
        `${page}:${shown?.line ?? line}: ${shown ? 'it does not print this' : 'it prints nothing'}`,
      )
  }

  async function until(isSo: () => boolean, what: string): Promise<void> {
    for (let left = patienceMs; left > 0 && !isSo(); left -= 50) {
      if (running.length > 0 && running.every((each) => each.status() !== null)) break
      await pause(50)
    }
    const all = running.map((each) => printed(each.printed())).join('\n---\n')
    assert.ok(isSo(), `${what}. The programs that were left running have printed:\n${all}`)
  }

  function commandsOf(text: string, language: 'sh' | 'ts' | 'python', line: number): string {
    if (language === 'sh') return typed(text)
    const [interpreter, ending] = interpreters[language]
    writeFileSync(join(desk.folder, `block-${line}.${ending}`), typed(text))
    return `${interpreter} block-${line}.${ending}\n`
  }

  function find({ path, text, line }: Extract<Step, { does: 'find' }>): void {
    const plain = (each: string) => each.replaceAll(/\s+/g, ' ').trim()
    const source = plain(readFileSync(join(root, path), 'utf8'))
    let at = 0
    for (const part of text.split(/^\s*\.\.\.\s*$/m).map(plain)) {
      at = source.indexOf(part, at)
      assert.ok(at >= 0, `${page}:${line}: ${path} does not contain this: ${part}`)
    }
  }

  /** Each part between lines `...` is looked for in the file, without the lines that come. */
  function change({ path, text, line }: Extract<Step, { does: 'change' }>): void {
    const file = join(desk.folder, path)
    let whole = readFileSync(file, 'utf8')
    for (const part of text.split(/^\s*\.\.\.\s*$/m)) {
      const lines = part.split('\n').filter((each) => each !== '')
      const without = (sign: string) => lines.filter((each) => each[0] !== sign).map((each) => each.slice(1))
      const before = without('+').join('\n')
      assert.ok(whole.includes(before), `${page}:${line}: ${path} does not contain this:\n${before}`)
      whole = whole.replace(before, () => without('-').join('\n'))
    }
    writeFileSync(file, whole)
  }

  return {
    begin: () => stay({ does: 'run', language: 'sh', text: 'npm start\n', stays: true, line: 1 }),
    async follow(step) {
      if (step.does === 'run') await (step.stays ? stay(step) : run(step))
      else if (step.does === 'save') {
        const path = desk.typed(step.path)
        const file = isAbsolute(path) ? path : join(desk.folder, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, typed(step.text))
      } else if (step.does === 'look') {
        const isSeen = (each: Running) =>
          differenceOfText(step.text, printed(each.printed()), known, true) === null
        await until(() => running.some(isSeen), `${page}:${step.line}: no terminal shows this`)
      } else if (step.does === 'find') find(step)
      else if (step.does === 'change') change(step)
      else if (step.does === 'stop') {
        const last = running.pop()
        assert.ok(last, `${page}:${step.line}: nothing is running that could be stopped`)
        await last.stop()
      }
    },
    async leave() {
      await shell.close()
      desk.clear()
      rmSync(notes, { recursive: true, force: true })
    },
  }
}
