import type { DesfireKey, PageChip } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { parameters } from './desfire-wire.ts'
import type { Link } from './link.ts'

/** What was shown to the card to be let in. Every "no" of the card ends it. */
export type Proof =
  | { to: 'sector'; sector: number; kind: 'A' | 'B'; key: Uint8Array }
  | { to: 'pages'; password: Uint8Array; acknowledgement: Uint8Array }
  | { to: 'application'; application: number; key: { number: number; key: DesfireKey } | null }

/** The card that `find` selected. It is the only one the other methods act on. */
export interface Selected {
  uid: Uint8Array
  chip: PageChip | undefined
  /** The link's count of writes when the card was found: any more, and it may have been changed since. */
  writesBefore: number
  left: boolean
  proof: Proof | undefined
}

/** Which card the methods act on, and whether it still lies there. */
export interface Selection {
  choose(uid: Uint8Array): Selected
  drop(): void
  /** Throws `no-card` or `card-removed` when there is none. */
  current(): Selected
  /** After a "no" the reader has dropped the card. Selects it again; false when it is gone or another lies there. */
  isBack(card: Selected): Promise<boolean>
  /** Selects the card again, or rejects with `no-card` or `card-removed`. */
  mustBeBack(card: Selected): Promise<void>
  lost(card: Selected, code?: { vendorCode?: string }): DeviceFault
}

/** As many bytes of a serial number as the reader may give. */
export const longestUid = 16

export function selection({ ask, writesSent }: Link): Selection {
  let card: Selected | undefined

  return {
    choose(uid) {
      card = { uid, chip: undefined, writesBefore: writesSent(), left: false, proof: undefined }
      return card
    },
    drop() {
      card = undefined
    },
    current() {
      if (!card) throw new DeviceFault('no-card', 'no card was found yet')
      if (card.left) throw lost(card)
      return card
    },
    isBack,
    async mustBeBack(at) {
      if (!(await isBack(at))) throw lost(at)
    },
    lost,
  }

  async function isBack(at: Selected): Promise<boolean> {
    const tag = await ask('searchTag', longestUid)
    const same = tag !== false && Buffer.from(at.uid).equals(tag.uid)
    at.left = !same
    return same
  }

  function lost(at: Selected, code: { vendorCode?: string } = {}): DeviceFault {
    if (writesSent() === at.writesBefore)
      return new DeviceFault('no-card', 'the card found before is gone', code)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', code)
  }
}

/** Shows a proof to the card just selected. False when the card refuses it, or is gone. */
export async function prove(ask: Link['ask'], proof: Proof, chip: PageChip | undefined): Promise<boolean> {
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

/** NTAG has commands of its own for what it has in common with Ultralight. */
export function isNtag(chip: PageChip | undefined): boolean {
  return chip?.startsWith('NTAG') === true
}
