import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cache } from '../../image/places.ts'
import { ports } from './answers.ts'
import { imageFile, withImage } from './built.ts'
import { servedAt, serveFolder } from './bundle-server.ts'
import { freePort } from './free-port.ts'
import { checkOf, type Found, pairedAndSetUp, plainHotel } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { addressOfName } from './neighbour.ts'

/** A port of the box that the firewall drops, and the port of the host that leads to it. */
const other = { guest: 9_999, host: await freePort() }
const network = '/api/config/v1/network'

interface Network {
  data: {
    attributes: { isImage: boolean; address: string; trial: { id: string } | null; last: object | null }
  }
}

interface Trial {
  data: { id: string }
}

describe('the network of a box', withImage, () => {
  let box: Machine
  let token = ''
  let server: Awaited<ReturnType<typeof serveFolder>>

  before(async () => {
    server = await serveFolder(join(cache, 'machines'))
    const files = { 'nightporter.txt': 'name = hotel-porto\n' }
    box = await machine('network', { image: imageFile(), files, hasNeighbour: true })
    await box.get('/readyz', { status: 200 })
    token = await pairedAndSetUp(box, plainHotel)
  })
  after(async () => {
    await box?.kill()
    server?.close()
  })

  /** Waits until a command of the machine succeeds. */
  async function until(command: string, withinMs = 900_000): Promise<void> {
    let last = ''
    for (const end = Date.now() + withinMs; Date.now() < end; await pause(1_000)) {
      const { code, out, err } = await box.attempt(command)
      if (code === 0) return
      last = out + err
    }
    throw new Error(`${command} has not succeeded within ${withinMs} ms: ${last}`)
  }

  const monitor = (command: string) => box.control('human-monitor-command', { 'command-line': command })

  /** Leads a port of the host to another one of the machine. */
  async function forward(host: number, to: string): Promise<void> {
    await monitor(`hostfwd_remove net tcp:127.0.0.1:${host}`)
    assert.equal(await monitor(`hostfwd_add net tcp:127.0.0.1:${host}-${to}`), '')
  }

  /** Connects to the other port of the machine, and returns what has come over the connection until now. */
  function fromOther(): { text(): string; close(): void } {
    let text = ''
    const socket = connect(other.host, '127.0.0.1')
    socket
      .on('error', () => {})
      .on('data', (data) => {
        text += data
      })
    return { text: () => text, close: () => socket.destroy() }
  }

  const dropped = (direction: 'in' | 'out', port: number) =>
    `journalctl -k -o cat --no-pager | grep 'nightporter dropped ${direction}: .*DPT=${port} '`
  const fetched = `/opt/nightporter/node -e "fetch('${servedAt}/any', { signal: AbortSignal.timeout(20_000) }).then(() => {}, () => process.exit(1))"`

  describe('with its firewall, which is on by default', () => {
    it('has its rules, and no unit has failed', async () => {
      await until('nft list table inet nightporter')
      assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    })

    it('has its name for another computer in the network', async () => {
      assert.equal(await addressOfName(box, 'hotel-porto.local'), '10.0.2.15')
    })

    it('drops what comes to other ports than 80 and 443', async () => {
      await box.shell(
        `systemd-run --unit=other --collect /opt/nightporter/node -e "require('net').createServer((socket) => socket.end('open')).listen(${other.guest})"`,
      )
      await forward(other.host, `:${other.guest}`)
      const first = fromOther()
      await until(dropped('in', other.guest))
      assert.equal(first.text(), '')
      first.close()
      assert.match((await box.get('/', { port: 80 })).text, /In service/)

      // Without the rules it answers, so they are what has dropped it.
      await box.shell('nft delete table inet nightporter')
      const second = fromOther()
      for (const end = Date.now() + 900_000; second.text() === '' && Date.now() < end; ) await pause(500)
      assert.equal(second.text(), 'open')
      second.close()
      await until('nft list table inet nightporter')
    })

    it('connects only to what its configuration names, at once after it is named', async (test) => {
      assert.equal((await box.attempt(fetched)).code, 1)
      const { port } = new URL(servedAt)
      await box.shell(dropped('out', Number(port)))
      // Root looks every 105 s what was refused.
      let refused: Found | undefined
      for (const end = Date.now() + 900_000; !refused && Date.now() < end; await pause(5_000))
        refused = await checkOf(box, token, 'firewall:refused')
      assert.match(String(refused?.output), new RegExp(`${new URL(servedAt).host}.*configure it`))
      const target = { name: 'NAS', kind: 'webdav', url: `${servedAt}/backups/`, user: 'hotel', secret: 'x' }
      await box.ask('POST', '/api/config/v1/backup-targets', token, target)
      const since = Date.now()
      await until(`nft list table inet nightporter | grep 'tcp dport ${port} accept'`)
      test.diagnostic(`from the answer to the rules: ${((Date.now() - since) / 1_000).toFixed(1)} s`)
      await box.shell(fetched)
      assert.equal(await checkOf(box, token, 'firewall:refused'), undefined)
      assert.equal((await checkOf(box, token, 'firewall:rules'))?.observedValue, 'loaded')
    })

    it('has the rules of its last run before its network is up', async () => {
      await box.shell('systemctl --no-block reboot')
      await box.started()
      const { port } = new URL(servedAt)
      await until(`nft list table inet nightporter | grep 'tcp dport ${port} accept'`)
      await until('systemctl is-active systemd-networkd')
      const instant = async (unit: string, what: string) =>
        Number(await box.shell(`systemctl show --value -p ${what}TimestampMonotonic ${unit}`))
      const loaded = await instant('nightporter-firewall-kept', 'ActiveEnter')
      assert.ok(loaded > 0, 'the rules were kept')
      assert.ok(loaded < (await instant('systemd-networkd', 'InactiveExit')), 'no packet came before them')
      await box.get('/readyz', { status: 200 })
      assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    })
  })

  describe('whose address is changed', () => {
    const addresses = () => box.shell("ip -4 -o address show scope global | awk '{ print $4 }'")
    const has = (address: string) => until(`ip -4 -o address show scope global | grep -F ' ${address}/24 '`)
    const ended = (how: string) => until(`grep -F '"result":"${how}"' /run/nightporter-box/network.json`)
    const read = async () => (await box.ask<Network>('GET', network, token)).data.attributes
    const change = async (address: string) =>
      (await box.ask<Trial>('POST', `${network}/actions/try`, token, { address, gateway: '10.0.2.2' })).data
        .id

    it('goes back to the old address when it is not confirmed', async () => {
      assert.deepEqual([(await read()).isImage, (await read()).address], [true, 'dhcp'])
      await change('10.0.2.40/24')
      await has('10.0.2.40')
      assert.equal(await addresses(), '10.0.2.40/24')
      await ended('undone')
      await has('10.0.2.15')
      assert.equal(await addresses(), '10.0.2.15/24')
      await box.get('/readyz', { status: 200 })
      assert.deepEqual([(await read()).address, (await read()).trial], ['dhcp', null])
    })

    it('keeps the new address when it is confirmed there, also over a restart', async () => {
      const id = await change('10.0.2.40/24')
      await has('10.0.2.40')
      const confirm = `${network}/trials/${id}/actions/confirm`
      const onBox = await box.attempt(
        `/opt/nightporter/node -e "fetch('http://127.0.0.1:8081${confirm}', { method: 'POST', headers: { Authorization: 'Bearer ${token}' } }).then(async (answer) => console.log(await answer.text()))"`,
      )
      assert.match(onBox.out, /network-refused/)
      await forward(ports[443], '10.0.2.40:443')
      await forward(ports[80], '10.0.2.40:80')
      await box.get('/readyz', { status: 200 })
      await box.ask('POST', confirm, token)
      await ended('kept')
      await box.shell('systemctl --no-block reboot')
      await box.started()
      await box.get('/readyz', { status: 200 })
      assert.equal(await addresses(), '10.0.2.40/24')
      assert.equal((await read()).address, '10.0.2.40/24')
      await until('nft list table inet nightporter')
    })

    it('goes back to the address that was kept when the power fails in the trial', async () => {
      await change('10.0.2.41/24')
      await has('10.0.2.41')
      await box.control('system_reset')
      await box.started()
      await box.get('/readyz', { status: 200 })
      assert.equal(await addresses(), '10.0.2.40/24')
      assert.deepEqual([(await read()).trial, (await read()).last], [null, null], 'nothing was tried again')
      assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    })
  })
})
