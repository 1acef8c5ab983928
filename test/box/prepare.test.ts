import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { prepare } from '../../src/box/prepare.ts'
import { dataFiles } from '../../src/host/files/data-files.ts'
import fc from '../seed.ts'

function boxOf() {
  const root = mkdtempSync(join(tmpdir(), 'box-'))
  const [data, file] = [join(root, 'data'), join(root, 'nightporter.txt')]
  mkdirSync(data)
  return { root, data, file, kept: join(root, 'kept') }
}

const settingsIn = (data: string) => JSON.parse(readFileSync(join(data, dataFiles.settings), 'utf8'))

describe('the start of a box', () => {
  it('needs no file: it asks the network for an address, and has a name of its own', () => {
    const box = boxOf()
    const { name } = prepare(box)
    assert.match(name, /^nightporter-[0-9a-f]{4}$/)
    assert.equal(prepare(box).name, name)
    assert.match(readFileSync(join(box.root, 'run/systemd/network/10-wired.network'), 'utf8'), /DHCP=yes/)
    assert.deepEqual(settingsIn(box.data), {})
  })

  it('takes the file at each start, and keeps what else is in the settings', () => {
    const box = boxOf()
    writeFileSync(join(box.data, dataFiles.settings), '{"recorderMegabytes": 4, "port": 9443}')
    writeFileSync(box.file, 'name = lisbon\ntime-zone = Europe/Lisbon\naddress = 10.0.0.5/24')
    assert.equal(prepare(box).name, 'lisbon')
    // The port is that of the socket unit.
    assert.deepEqual(settingsIn(box.data), { recorderMegabytes: 4, timeZone: 'Europe/Lisbon' })
    assert.equal(readFileSync(join(box.root, 'proc/sys/kernel/hostname'), 'utf8'), 'lisbon')
    assert.match(
      readFileSync(join(box.root, 'run/systemd/network/10-wired.network'), 'utf8'),
      /Address=10\.0\.0\.5/,
    )
  })

  it('keeps its name, address and firewall when the partition or the file cannot be read', () => {
    const box = boxOf()
    const file = join(box.root, 'esp/nightporter.txt')
    const places = { ...box, file }
    const unit = () => readFileSync(join(box.root, 'run/systemd/network/10-wired.network'), 'utf8')
    mkdirSync(join(box.root, 'esp/EFI'), { recursive: true })
    writeFileSync(file, 'name = lisbon\naddress = 10.0.0.5/24\ngateway = 10.0.0.1\nfirewall = yes')
    prepare(places)
    const before = unit()
    // A partition that is not mounted, and a file that is damaged.
    for (const break_ of [
      () => rmSync(join(box.root, 'esp'), { recursive: true }),
      () => mkdirSync(file, { recursive: true }),
    ]) {
      break_()
      const { name, verdicts } = prepare(places)
      assert.deepEqual([name, unit()], ['lisbon', before])
      assert.ok(existsSync(join(box.root, 'run/nightporter-box/firewall')))
      assert.match(String(verdicts.find(({ isGood }) => !isGood)?.says), /cannot be read.* start before/)
    }
    // Whoever deletes the file wants none.
    rmSync(file, { recursive: true })
    mkdirSync(join(box.root, 'esp/EFI'), { recursive: true })
    assert.match(prepare(places).name, /^nightporter-/)
    assert.match(unit(), /DHCP=yes/)
  })

  it('starts although no copy of the file can be kept', () => {
    const box = boxOf()
    writeFileSync(box.file, 'name = lisbon')
    mkdirSync(join(box.kept, 'nightporter.txt/not-a-file'), { recursive: true })
    assert.equal(prepare(box).name, 'lisbon')
  })

  describe('has its firewall', () => {
    const isOn = ({ root }: { root: string }) => existsSync(join(root, 'run/nightporter-box/firewall'))
    const said = ({ root }: { root: string }) =>
      readFileSync(join(root, 'run/nightporter-box/verdicts.json'), 'utf8')
    /** A box that a release before has started. */
    const boxInUse = () => {
      const box = boxOf()
      mkdirSync(box.kept)
      writeFileSync(join(box.kept, 'nightporter.txt'), '')
      writeFileSync(join(box.data, dataFiles.database), '')
      return box
    }

    const cases: [text: string, onNew: boolean, inUse: boolean][] = [
      ['', true, false],
      ['name = lisbon', true, false],
      ['firewall = maybe', true, false],
      ['# firewall = no', true, false],
      ['firewall = yes', true, true],
      ['Firewall: "YES"', true, true],
      ['firewall = no', false, false],
      ['firewall = yes\nfirewall = no', false, false],
    ]
    for (const [text, onNew, inUse] of cases)
      it(`with ${JSON.stringify(text)}: ${onNew} when it is new, ${inUse} when it was in use before`, () => {
        for (const [box, expected] of [
          [boxOf(), onNew],
          [boxInUse(), inUse],
        ] as const) {
          writeFileSync(box.file, text)
          prepare(box)
          assert.equal(isOn(box), expected)
          // A box in use now has a database, and the default that it began with.
          writeFileSync(join(box.data, dataFiles.database), '')
          prepare(box)
          assert.equal(isOn(box), expected)
        }
      })

    it('as the last of its lines says, and otherwise as the box began', () => {
      const line = fc.constantFrom('firewall = yes', 'firewall = no', 'name = lisbon', '', '# firewall = no')
      fc.assert(
        fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, isNew) => {
          const box = isNew ? boxOf() : boxInUse()
          writeFileSync(box.file, lines.join('\n'))
          prepare(box)
          const last = lines.findLast((each) => each.startsWith('firewall'))
          assert.equal(isOn(box), last ? last.endsWith('yes') : isNew)
          rmSync(box.root, { recursive: true })
        }),
        { numRuns: 40 },
      )
    })

    it('although its first start could not keep that it is new, and says where it is off', () => {
      const box = boxOf()
      writeFileSync(box.kept, 'not a folder')
      prepare({ ...box, kept: join(box.kept, 'folder') })
      assert.ok(isOn(box))
      const old = boxInUse()
      prepare(old)
      assert.match(said(old), /as before the update; firewall = yes turns it on/)
      writeFileSync(old.file, 'firewall = no')
      prepare(old)
      assert.doesNotMatch(said(old), /as before the update/)
    })
  })

  it('asks for a new pairing code once for each change of the file', () => {
    const box = boxOf()
    const request = join(box.data, dataFiles.pairAgain)
    writeFileSync(box.file, 'pair = yes')
    prepare(box)
    assert.ok(existsSync(request))
    rmSync(request)
    prepare(box)
    assert.ok(!existsSync(request))
    writeFileSync(box.file, '# again\npair = yes')
    prepare(box)
    assert.ok(existsSync(request))
  })
})
