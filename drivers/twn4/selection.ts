import type { DesfireKey, PageChip } from '../../src/devices/capability.ts'
import { type CardSession, cardSession, type SelectedCard } from '../../src/devices/driving/card-session.ts'
import { parameters } from './desfire-wire.ts'
import type { Twn4Link } from './link.ts'

/** The key or password that the card has accepted. A refusal by the card ends its effect. */
export type Proof =
  | { to: 'sector'; sector: number; kind: 'A' | 'B'; key: Uint8Array }
  | { to: 'pages'; password: Uint8Array; acknowledgement: Uint8Array }
  | { to: 'application'; application: number; key: { number: number; key: DesfireKey } | null }

export interface Twn4Card extends SelectedCard {
  chip: PageChip | undefined
  proof: Proof | undefined
}

type Selection = CardSession<Twn4Card>

/** The reader with its selected card. */
export interface Twn4Reader {
  ask: Twn4Link['ask']
  cards: Selection
}

/** The longest serial number that the reader may return, in bytes. */
export const longestUid = 16

/**
 * Keeps the selected card. The reader drops a card that refused a command, and finds it by a new search.
 */
export function selection({ ask, writesSent }: Twn4Link): Selection {
  return cardSession<Twn4Card>({
    async select() {
      const tag = await ask('searchTag', longestUid)
      return tag ? tag.uid : null
    },
    writesSent,
  })
}

/** Shows a proof to the selected card. False when the card refuses it, or has left. */
export async function prove(
  ask: Twn4Link['ask'],
  proof: Proof,
  chip: PageChip | undefined,
): Promise<boolean> {
  if (proof.to === 'sector')
    return (await ask('login', ...proof.key, proof.kind === 'A' ? 0 : 1, proof.sector)) !== false
  if (proof.to === 'pages') {
    const unlock = isNtag(chip) ? 'unlockNtag' : 'unlockEv1'
    return (await ask(unlock, ...proof.password, ...proof.acknowledgement)) !== false
  }
  const { application, key } = proof
  if ((await ask('selectApplication', ...parameters.select(application))) === false) return false
  return !key || (await ask('authenticate', ...parameters.authenticate(key.number, key.key))) !== false
}

/** Whether the chip is an NTAG: for these the reader has separate commands to read, write and unlock pages. */
export function isNtag(chip: PageChip | undefined): boolean {
  return chip?.startsWith('NTAG') === true
}
