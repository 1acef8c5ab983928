import { randomInt } from 'node:crypto'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Clock } from '../../host/clock.ts'
import { addSheet } from '../archive/recipients.ts'
import { BackupRefused } from '../backup-refused.ts'
import { isWord, wordsOf } from './recovery-words.ts'

/** How long a person has to print the sheet and type the words. */
const waitsMs = 60 * 60_000
const askedWords = 4
const mostSheets = 10

/** A sheet that was shown. It exists only in memory. */
export interface NewSheet {
  words: string[]
  /** The same key in age's format. */
  identity: string
  recipient: string
  /** The numbers of the words to type, 1 to 24, in order. */
  asked: number[]
}

export type RecoverySheets = ReturnType<typeof recoverySheets>

/**
 * Makes the recovery key as a sheet of 24 words. Backups are encrypted to it only after a person has typed some of the
 * words: without a paper copy of the key, no backup could be decrypted.
 */
export function recoverySheets({ data, clock }: { data: string; clock: Clock }) {
  /** The newest is the first. */
  let made: { sheet: NewSheet; until: number }[] = []

  const shown = () => made.filter(({ until }) => clock.monotonic() <= until).map(({ sheet }) => sheet)

  async function begin(): Promise<NewSheet> {
    const identity = await generateX25519Identity()
    const sheet = {
      words: wordsOf(identity),
      identity,
      recipient: await identityToRecipient(identity),
      asked: someOf(24, askedWords),
    }
    made = [{ sheet, until: clock.monotonic() + waitsMs }, ...made].slice(0, mostSheets)
    return sheet
  }

  /**
   * Checks the requested words, in order, of the sheet that has most of them: another tab may have made one since. From then on
   * backups are encrypted to this sheet. A repeat, whose answer was lost, changes nothing. Throws BackupRefused.
   */
  function confirm(typed: readonly string[]): void {
    const [best] = shown()
      .map((sheet) => ({ sheet, wrong: wrongIn(sheet, typed) }))
      .toSorted((one, other) => one.wrong.length - other.wrong.length)
    if (!best)
      throw new BackupRefused('No sheet is waiting for its words. Make a new one, and destroy the old.')
    const [number] = best.wrong
    if (number !== undefined)
      throw new BackupRefused(`Word ${number} is another one on the sheet. Look there and type it again.`)
    addSheet(data, best.sheet.recipient, clock.now())
  }

  /** Returns the newest sheet that was shown within an hour; null without one. */
  const waiting = () => shown()[0] ?? null

  return { begin, confirm, waiting }
}

/** Returns the numbers of the asked words that were typed otherwise. */
function wrongIn({ words, asked }: NewSheet, typed: readonly string[]): number[] {
  return asked.filter((number, index) => !isWord(typed[index] ?? '', words[number - 1]!))
}

/** Returns `count` distinct numbers from 1 to `of`, in order. */
function someOf(of: number, count: number): number[] {
  const numbers = new Set<number>()
  while (numbers.size < count) numbers.add(randomInt(1, of + 1))
  return [...numbers].sort((one, other) => one - other)
}
