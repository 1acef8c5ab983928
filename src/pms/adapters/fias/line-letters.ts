import type { CodePageDoubt, LinkRecord } from '../../../devices/network/guest-link.ts'
import type { Message } from '../../../jsonapi/locales/message.ts'

type Doubted = CodePageDoubt & { reservation: string }

const codes = { 'is-utf-8': 'pms-line-utf8', 'no-letter': 'pms-line-letters' } as const

/** Remembers that the code page of the line is probably not that of the PMS, with the reservation that shows it. */
export function lineLetters() {
  let found: Partial<Record<CodePageDoubt['doubt'], Doubted>> = {}
  return {
    /** True for the first such record since `forget`. */
    doubted({ fields }: LinkRecord, doubt: CodePageDoubt): boolean {
      const isNews = !found[doubt.doubt]
      found[doubt.doubt] = { ...doubt, reservation: fields['G#'] ?? '-' }
      return isNews
    },
    /** The PMS sends everything again. */
    forget(): void {
      found = {}
    },
    /** The sentences for the status. They name no guest. */
    notes: (): readonly Message[] =>
      Object.values(found).map(({ doubt, codePage, reservation }) => ({
        code: codes[doubt],
        values: { codePage, reservation },
      })),
  }
}
