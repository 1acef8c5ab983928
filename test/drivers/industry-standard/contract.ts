import { describe } from 'node:test'
import type { DateFormat } from '../../../drivers/industry-standard/dates.ts'
import driver from '../../../drivers/industry-standard/driver.ts'
import { cardsFor, opening, type PcCard } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import {
  berlin,
  type KeyAtLock,
  type LockBench,
  type LockDeed,
  type LockUnderTest,
  type SetupBasics,
} from '../lock-system-bench.ts'
import { endsAtLocks, lockSystemContract } from '../lock-system-contract.ts'
import { house, newCard, shownAt, type WireKind } from './house.ts'

/** Messages that make or take a key. */
const counted = /^(CN|CC|CA|CO)/

async function bench(wire: WireKind, setup: SetupBasics, dateFormat: DateFormat): Promise<LockBench> {
  const made = await house({ wire, setup, connection: { dateFormat }, pc: { nextCard: newCard, dateFormat } })
  const { system, pc } = made
  const released: (() => void)[] = []
  const codes: Partial<Record<LockDeed, string>> = { busy: 'OV', refuse: 'OS', strange: 'ZZ' }
  const deeds: Record<LockDeed, () => void> = {
    busy: () => refuse('busy'),
    refuse: () => refuse('refuse'),
    strange: () => refuse('strange'),
    'lose-request': () => withoutDoing('silence'),
    'lose-answer': () => pc.instead.push(() => {}),
    late: () => pc.instead.push((send) => released.push(send)),
    'cut-before': () => withoutDoing('silence', made.cut),
    'cut-after': () => pc.instead.push(made.cut),
  }
  function refuse(deed: LockDeed) {
    pc.misbehaviours.push({ at: 'CN', does: 'refuse', code: codes[deed]! })
  }
  function withoutDoing(does: 'silence', then?: () => void) {
    pc.misbehaviours.push({ at: 'CN', does, ...(then && { then }) })
  }
  return {
    system,
    next: (deed) => deeds[deed](),
    release: () => {
      for (const send of released.splice(0)) send()
    },
    requests: () => pc.requests.filter((each) => counted.test(each)).length,
    keysAt: (lock) => cardsFor(pc, lock).map(keyOf),
    opensAt: (lock, moment) => opening(pc, lock, shownAt(moment, setup)).length > 0,
    unplug: made.unplug,
    plug: made.plug,
    close: made.close,
  }
}

function keyOf({ uid, holds }: PcCard): KeyAtLock {
  return {
    told: uid,
    validFrom: momentOf(holds!.start, 'start'),
    validUntil: momentOf(holds!.expiry, 'end'),
  }
}

function momentOf(shown: string, edge: 'start' | 'end'): number {
  const [, date, hour, minute] = /^(\d{8})(\d\d)(\d\d)$/.exec(shown)!
  const day = date!.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  return berlin(`${day}T${hour}:${minute}`, edge)
}

/** What the driver must keep on one kind of wire. */
export function contractOver(wire: WireKind): void {
  describe(`over ${wire.name}`, { skip: wire.missing }, () => {
    const lockSystem: LockUnderTest = {
      driver,
      clock: wire.clock,
      setUp: (setup) => bench(wire, setup, 'HHDDMMYY'),
      locks: ['101', '102'],
      notALock: 'a|b³c',
      encoders: ['1', '2'],
      unknownAuthorization: 'Helipad',
      codes: { busy: 'encoder-busy' },
      strangeCode: 'ZZ',
      slackMs: { start: 3_600_000, end: 3_600_000 },
      originalReplaces: true,
      shortMs: 3_200,
    }
    lockSystemContract('industry-standard', lockSystem)
    endsAtLocks('industry-standard with minutes', {
      ...lockSystem,
      setUp: (setup) => bench(wire, setup, 'HHmmDDMMYY'),
    })
  })
}
