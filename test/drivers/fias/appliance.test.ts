import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { keySystem } from '../../../drivers/fias/simulator/key-system-simulator.ts'
import { until } from '../../access/house-with-doors.ts'
import { startAppliance } from '../../appliance.ts'
import { ownPort } from '../../own-port.ts'

it('a key system that connects to the appliance makes the keys that are ordered over HTTP', async (test) => {
  const house = await startAppliance()
  test.after(() => house.stop())
  const port = await ownPort()
  const { ask, clock } = house
  const kss = keySystem({ clock, rooms: ['101', '102'] })
  const made = async (path: string, body: object) => {
    const reply = await ask('POST', `/api/config/v1/${path}`, { body })
    assert.equal(reply.status, 201, reply.text)
    return String(reply.body.data.id)
  }
  const unitMapping = ['101', '102'].map((room) => ({ unitName: room, externalCode: room }))
  const connection = {
    direction: 'listen',
    host: '127.0.0.1',
    port,
    peers: ['127.0.0.1'],
    options: { Pool: 1 },
  }
  const providerId = await made('access-providers', {
    name: 'KSS',
    driver: 'fias-key',
    connection,
    unitMapping,
  })
  const encoder = { providerId, kind: 'encoder', keyType: 'keyCard' }
  const id = await made('access-controllers', { ...encoder, name: 'Desk 1', externalCode: '1' })
  let isOver = false
  test.after(() => {
    isOver = true
  })
  const dial = () => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('error', () => {})
    socket.once('connect', () => void kss.play(socket))
    socket.once('close', () => isOver || clock.setTimeout(dial, 50))
    test.after(() => socket.destroy())
  }
  dial()
  const body = {
    type: 'keyCard',
    unitName: '101',
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    authorizations: ['Pool'],
  }
  const reply = await until(
    'a key',
    () => ask('POST', `/api/v2/access/controllers/${id}/key`, { body }),
    ({ status }) => status !== 502,
  )
  assert.equal(reply.status, 201, reply.text)
  const [card] = kss.book.opens('101')
  assert.equal(reply.body.data.attributes.uid, card?.uid)
  assert.equal(reply.body.data.attributes.status, 'live')
  assert.deepEqual([card?.encoder, card?.until, card?.options], ['1', '260603', '1'])
  const path = `/api/v2/access/keys/${reply.body.data.id}`
  const revoked = await ask('DELETE', path)
  assert.ok(revoked.status < 300, revoked.text)
  await until(
    'the end of the key',
    () => kss.book.opens('101').length,
    (count) => count === 0,
  )
})
