import driver from '../../../drivers/ttlock/driver.ts'
import { opens, type SimulatedCloud } from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { testClock } from '../../test-clock.ts'
import type { KeyAtLock, LockDeed } from '../lock-system-bench.ts'
import { lockSystemContract } from '../lock-system-contract.ts'
import { house, nextPin } from './house.ts'

const deeds: Record<LockDeed, Omit<Misbehaviour, 'at'>> = {
  busy: { does: 'refuse', code: '-3003' },
  refuse: { does: 'refuse', code: '-2025' },
  strange: { does: 'refuse', code: '-9999' },
  'lose-request': { does: 'silence' },
  'lose-answer': { does: 'late' },
  late: { does: 'pass', code: 'held' },
  'cut-before': { does: 'close' },
  'cut-after': { does: 'garble', code: 'drop' },
}

/** The contract's deeds are for what makes, changes or takes a key: a login and a list go by. */
function nextWrite({ misbehaviours }: SimulatedCloud, deed: LockDeed): void {
  const mine: Misbehaviour[] = []
  for (const at of ['add', 'change', 'delete', 'deleteByCode']) {
    const then = () => {
      for (const each of mine)
        if (misbehaviours.includes(each)) misbehaviours.splice(misbehaviours.indexOf(each), 1)
    }
    mine.push({ at, ...deeds[deed], then })
  }
  misbehaviours.push(...mine)
}

/** What opens the lock, by its own memory; the cloud's list only lends its numbers. */
function keysAt({ locks }: SimulatedCloud, code: string): KeyAtLock[] {
  const lock = locks.find(({ lockId }) => String(lockId) === code)!
  return [...lock.memory].map(([digits, { from, until }]) => {
    const listed = lock.list.find(({ keyboardPwd }) => keyboardPwd === digits)
    return { told: listed ? String(listed.keyboardPwdId) : null, validFrom: from, validUntil: until }
  })
}

lockSystemContract('ttlock', {
  driver,
  clock: testClock(),
  async setUp(setup) {
    const made = await house({ setup })
    return {
      system: made.system,
      next: (deed) => nextWrite(made.cloud, deed),
      release() {
        for (const each of made.cloud.held.splice(0)) each()
      },
      requests: () => made.writes().length,
      keysAt: (lock) => keysAt(made.cloud, lock),
      opensAt: (lock, moment) =>
        made.cloud.locks
          .filter(({ lockId }) => String(lockId) === lock)
          .some(({ lockId, memory }) =>
            [...memory.keys()].some((digits) => opens(made.cloud, lockId, digits, moment)),
          ),
      unplug: made.unplug,
      plug: made.plug,
      close: made.close,
    }
  },
  locks: ['1001', '1002'],
  notALock: 'Room 101',
  encoders: [null, null],
  grant: {
    keyType: 'pinCode',
    // Asked anew for each grant: the lock refuses a PIN that it has.
    get pin() {
      return nextPin()
    },
  },
  unknownAuthorization: 'Sauna',
  strangeCode: '-9999',
  slackMs: { start: 59_999, end: 59_999 },
  originalReplaces: false,
})
