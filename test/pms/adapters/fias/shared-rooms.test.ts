import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../eventually.ts'
import { guestOf } from './guests.ts'
import { heard, type PmsLine, pmsLine, said } from './pms-line.ts'

const sharer = (number: string, room: string, GN: string) => guestOf(number, room, { GS: 'Y', GN })

/** Anna (1) and Bea (2) share 101, as was reported to the house. */
async function together(test: Parameters<typeof pmsLine>[0]): Promise<PmsLine> {
  const line = await pmsLine(test)
  line.desk.checkIn(sharer('1', '101', 'Anna'))
  line.desk.checkIn(sharer('2', '101', 'Bea'))
  assert.deepEqual(said((await line.pull()).changes), ['1 InHouse 101: Anna, Bea'])
  return line
}

async function next(line: PmsLine, count: number): Promise<string[]> {
  await until(() => heard(line).length >= count)
  return heard(line)
}

describe('guests who share a room', () => {
  it('are one stay, which keeps its name when the first of them leaves', async (test) => {
    const line = await together(test)
    line.desk.checkOut('1')
    assert.deepEqual(await next(line, 1), ['1 InHouse 101: Bea'])
    line.desk.checkOut('2')
    assert.deepEqual((await next(line, 2)).at(-1), '1 CheckedOut 101: Bea')
  })

  it('stay as long as the last of them', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('1', '101', { GS: 'Y' }))
    line.desk.checkIn(guestOf('2', '101', { GS: 'Y', GA: '260531', GD: '260609' }))
    const { changes } = await line.pull()
    const [change] = changes
    assert.ok(change?.is === 'reservation')
    const [stay] = change.value?.stays ?? []
    assert.deepEqual(
      [stay?.startDate, stay?.endDate, stay?.personCount, stay?.guests?.map(({ role }) => role)],
      ['2026-05-31', '2026-06-09', { adults: 2 }, ['PrimaryGuest', 'AdditionalGuest']],
    )
  })

  it('move together, and are one stay still', async (test) => {
    const line = await together(test)
    line.desk.move('1', '102')
    line.desk.move('2', '102')
    assert.deepEqual(await next(line, 1), ['1 InHouse 102: Anna, Bea'])
  })

  it('part: the stay remains with who remains in the room, whose card goes on', async (test) => {
    const line = await together(test)
    line.desk.move('1', '102')
    assert.deepEqual(await next(line, 2), ['1 InHouse 101: Bea', '1.2 InHouse 102: Anna'])
    assert.deepEqual(line.feed.stayOf('1')?.id, '1.2')
    assert.deepEqual(line.feed.stayOf('2')?.id, '1')
  })

  it('find together: the room of who moves is free before', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(sharer('1', '101', 'Anna'))
    line.desk.checkIn(sharer('2', '102', 'Bea'))
    await line.pull()
    line.desk.move('2', '101')
    assert.deepEqual(await next(line, 2), ['2 CheckedOut 102: Bea', '1 InHouse 101: Anna, Bea'])
  })

  it('are two stays where the PMS says of each that he is alone: that is for the desk to solve', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('1', '101'))
    line.desk.checkIn(guestOf('2', '101'))
    assert.deepEqual(said((await line.pull()).changes), ['1 InHouse 101: Müller', '2 InHouse 101: Müller'])
  })

  it('leave without a number: all where the room is vacant, nobody where it is not said who', async (test) => {
    const line = await together(test)
    line.foreign.post(['GO', { RN: '101', GS: 'Y' }])
    line.foreign.post(['GO', { RN: '101' }])
    const refused = () => line.pages.flatMap((page) => page.refused)
    await until(() => refused().length === 2)
    for (const { reason } of refused()) assert.match(reason, /One of 2 guests has left room 101/)
    line.foreign.post(['GO', { RN: '101', GS: 'N' }])
    assert.deepEqual(await next(line, 1), ['1 CheckedOut 101: Anna, Bea'])
  })
})
