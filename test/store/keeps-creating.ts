import { plain } from '../../src/composition/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { OpenWriter } from '../../src/store/writer/writer.ts'
import { program as entry } from '../program.ts'

/** Creates unit types until it is killed, several at a time, and prints each id when its creation is acknowledged. */
const [, , path = ''] = process.argv
const writer = new OpenWriter({ path, entry, clock: systemClock, lost: () => process.exit(1) })
await writer.ready

let number = 0
async function createForEver(): Promise<void> {
  for (;;) {
    number++
    const attributes = { code: `${process.pid}-${number}`, name: 'Double' }
    const { id } = await writer.execute(
      plain.create,
      { type: 'unit-type', attributes },
      { actor: { by: 'test', requestId: null } },
    )
    process.stdout.write(`${id}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, createForEver))
