import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run, started } from '../command-line.ts'

describe('A simulated OPERA', () => {
  it('has reservations and a clerk, says how a box is pointed at it, and misbehaves as ordered', async (t) => {
    const options = ['--clerk', '9999', '--reservations', '2', '--misbehave', 'housekeepingOverview=503']
    const running = await started(/^The clerk [a-z]+ \d+$/, 'simulate', 'opera', '--on', 'http:0', ...options)
    t.after(() => running.stop())
    const { connection, credentials } = JSON.parse(/-d '(.*)'/.exec(running.lines.join('\n'))?.[1] ?? 'null')
    const { gatewayUrl, hotelId } = connection
    const pair = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')
    const key = { 'x-app-key': credentials.applicationKey }
    const reply = await fetch(`${gatewayUrl}/oauth/v1/tokens`, {
      method: 'POST',
      headers: { authorization: `Basic ${pair}`, ...key },
      body: 'grant_type=client_credentials',
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}`, 'x-hotelid': hotelId, ...key }
    const ask = async (path: string) => (await fetch(`${gatewayUrl}${path}`, { headers })).status
    const rooms = `/hsk/v1/hotels/${hotelId}/housekeepingOverview`
    assert.deepEqual(
      [await ask(rooms), await ask(rooms), await ask(`/rsv/v1/hotels/${hotelId}/reservations`)],
      [503, 200, 200],
    )
    assert.equal((await running.stop()).code, 0)
  })

  it('is not simulated nowhere', async () => {
    const { code, stderr } = await run('simulate', 'opera')
    assert.deepEqual([code, /Expected one --on http:PORT/.test(stderr)], [64, true])
  })
})
