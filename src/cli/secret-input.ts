import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { CommandFailed } from './exit-codes.ts'

const endOfKey = /^(-----END AGE ENCRYPTED FILE-----|AGE-SECRET-KEY-1\w+)\s*$/m

/**
 * Reads a passphrase: the first line of a file, typed input without echo, or the first line of standard input if that
 * is not a terminal. A passphrase is never an argument, because every user can list the arguments of processes.
 */
export async function readPassphrase(file: string | undefined, ask: string): Promise<string> {
  if (file !== undefined) return firstLine(textOf(file))
  if (process.stdin.isTTY) return typedUnseen(ask)
  return firstLine(textOf(0))
}

/**
 * Reads a recovery key from a file, or from standard input for `-`. On standard input the passphrase can follow the
 * key; `passphrase` is null when none follows or the key comes from a file.
 */
export async function readKeyText(file: string): Promise<{ text: string; passphrase: string | null }> {
  if (file !== '-') return { text: textOf(file), passphrase: null }
  const whole = process.stdin.isTTY ? await typedKey() : textOf(0)
  const [found] = endOfKey.exec(whole) ?? []
  const end = found === undefined ? whole.length : whole.indexOf(found) + found.length
  return { text: whole.slice(0, end), passphrase: firstLine(whole.slice(end).trimStart()) || null }
}

function textOf(file: string | 0): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailed('missing', `${file} cannot be read: ${(error as Error).message}.`)
  }
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function typedKey(): Promise<string> {
  const lines: string[] = []
  const input = createInterface({ input: process.stdin, output: process.stderr })
  process.stderr.write('Paste the recovery key, from BEGIN AGE ENCRYPTED FILE to END:\n')
  for await (const line of input) {
    lines.push(line)
    if (endOfKey.test(line) || lines.length > 100) break
  }
  input.close()
  return lines.join('\n')
}

/** Reads each character as it is typed, without echo. */
function typedUnseen(ask: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(ask)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  let typed = ''
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      finish()
    }
    const take = (text: string) => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed))
        if (character === '\u0003') return end(() => reject(new CommandFailed('refused', 'Stopped.')))
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character
      }
    }
    stdin.on('data', take)
  })
}
