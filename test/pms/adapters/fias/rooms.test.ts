import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codePage } from '../../../../drivers/fias/code-page.ts'
import { roomProblem } from '../../../../drivers/fias/record.ts'
import { DeviceFault } from '../../../../src/devices/fault.ts'
import { roomReporter } from '../../../../src/pms/adapters/fias/room-reporter.ts'
import type { Reader } from '../../../../src/resource/keeper.ts'

/** A house with these units, and a line that may be cut. */
function played(units: { name: string; status: string; occupied?: boolean }[]) {
  const line = { isCut: false, sent: [] as string[], failures: [] as unknown[] }
  const reporter = roomReporter({
    reader: { rows: () => units } as unknown as Reader,
    async send(id, { RN, RS }) {
      if (line.isCut) throw new DeviceFault('adapter-timeout', 'the PMS is not connected')
      line.sent.push(`${id} ${RN} ${RS}`)
    },
    roomProblem: (name) => roomProblem(name, codePage('windows-1252')),
    failed: (error) => line.failures.push(error),
  })
  const sent = async (act: () => void) => {
    line.sent.length = 0
    act()
    await new Promise(setImmediate)
    assert.deepEqual(line.failures, [])
    return [...line.sent]
  }
  return { units, line, reporter, sent }
}

describe('the statuses of units, where they are sent over FIAS', () => {
  it('are sent after each announcement of the link, and then when they change', async () => {
    const { units, reporter, sent } = played([
      { name: '101', status: 'Dirty' },
      { name: '102', status: 'Inspected', occupied: true },
      { name: '103', status: 'OutOfOrder' },
    ])
    assert.deepEqual(await sent(reporter.linked), ['RE 101 1', 'RE 102 6'])
    assert.deepEqual(await sent(reporter.report), [])
    units[0]!.status = 'Clean'
    assert.deepEqual(await sent(reporter.report), ['RE 101 3'])
    assert.deepEqual(await sent(reporter.linked), ['RE 101 3', 'RE 102 6'])
  })

  it('are not sent of a unit whose name would be cut or changed on the line: it could be that of another', async () => {
    const names = ['Garden 1', 'Garden 12', 'A|1', 'Café', 'Каб. 1']
    const { sent, reporter } = played(names.map((name) => ({ name, status: 'Dirty' })))
    assert.deepEqual(await sent(reporter.linked), ['RE Garden 1 1', 'RE Café 1'])
  })

  it('wait while the line is cut', async () => {
    const { units, line, reporter, sent } = played([{ name: '101', status: 'Dirty' }])
    await sent(reporter.linked)
    line.isCut = true
    units[0]!.status = 'Clean'
    assert.deepEqual(await sent(reporter.report), [])
    line.isCut = false
    assert.deepEqual(await sent(reporter.linked), ['RE 101 3'])
  })
})
