import driver from '../../../drivers/fias/driver.ts'
import type { LockUnderTest } from '../lock-system-bench.ts'
import { endsAtLocks, lockSystemContract } from '../lock-system-contract.ts'
import { clock, fiasBench, type HouseOptions } from './house.ts'

const lines: Record<string, HouseOptions> = {
  'fias-key that connects over TCP': { framing: 'tcp', direction: 'connect' },
  'fias-key that listens': { framing: 'tcp', direction: 'listen' },
  'fias-key on a serial line': { framing: 'serial-lrc' },
}

const keySystem = (options: HouseOptions): LockUnderTest => ({
  driver,
  clock,
  setUp: () => fiasBench(options),
  locks: ['101', '102'],
  notALock: '101;102',
  encoders: ['1', '2'],
  unknownAuthorization: 'Cellar',
  strangeCode: 'Q7',
  slackMs: { start: 86_400_000, end: 60_000 },
  originalReplaces: true,
})

for (const [name, options] of Object.entries(lines)) lockSystemContract(name, keySystem(options))

const withoutTime: [string, string][] = [
  ['KR', 'KCKTRNWSDATIG#GNGAGDKOSI'],
  ['KD', 'KCRNWSDATIG#'],
  ['KA', 'ASKCWSCTDATIG#$2$3'],
]
endsAtLocks('fias-key that takes no time of departure', keySystem({ kss: { wanted: withoutTime } }))
endsAtLocks(
  'fias-key that takes none for a change',
  keySystem({
    kss: {
      wanted: [
        ['KR', 'KCKTRNWSDATIG#GNGAGDDTKOSI'],
        ['KM', 'KCRNROWSDATIG#GAGDGNSI'],
      ],
    },
  }),
)
