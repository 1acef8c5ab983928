/**
 * RAUC as a test sees it: `rauc.mjs FOLDER status|install ...`. `slots.json` in the folder has the slots, and `misbehave` what goes
 * wrong next. Any version of Node runs it.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , folder, command, ...args] = process.argv
const path = join(folder, 'slots.json')
const slots = JSON.parse(readFileSync(path, 'utf8'))
const misbehave = existsSync(join(folder, 'misbehave'))
  ? readFileSync(join(folder, 'misbehave'), 'utf8').trim()
  : ''
const other = slots.booted === 'A' ? 'B' : 'A'
appendFileSync(join(folder, 'calls'), `${[command, ...args].join(' ')}\n`)

function keep() {
  writeFileSync(`${path}.part`, JSON.stringify(slots))
  renameSync(`${path}.part`, path)
}

function fail(message) {
  console.error(`LastError: ${message}`)
  process.exit(1)
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

if (misbehave === 'hang') await pause(600_000)
if (misbehave === 'slow') await pause(400)
if (misbehave === 'silent') fail('Could not connect to the service')
if (command === 'status' && args[0] === '--output-format=json') {
  const each = (name, at) => ({
    [name]: {
      class: 'rootfs',
      device: `/dev/disk/by-partlabel/root-${at.toLowerCase()}`,
      type: 'raw',
      bootname: at,
      state: slots.booted === at ? 'booted' : 'inactive',
      parent: null,
      mountpoint: null,
      boot_status: slots.bad.includes(at) ? 'bad' : 'good',
    },
  })
  const primary = slots.oneShot ?? slots.default
  const status = {
    compatible: slots.compatible,
    variant: '',
    booted: `/dev/disk/by-partlabel/root-${slots.booted.toLowerCase()}`,
    boot_primary: primary === 'A' ? 'rootfs.0' : 'rootfs.1',
    slots: [each('rootfs.1', 'B'), each('rootfs.0', 'A')],
  }
  console.log(JSON.stringify(status))
} else if (command === 'status') {
  if (misbehave === 'mark') fail('Failed marking slot: bootctl does not answer')
  if (args[0] === 'mark-active' && args[1] === 'other') {
    slots.oneShot = other
    keep()
    process.exit()
  }
  const good = args[0] === 'mark-good'
  slots.bad = slots.bad.filter((at) => at !== slots.booted)
  if (good) slots.default = slots.booted
  else slots.bad.push(slots.booted)
  keep()
} else if (command === 'install') {
  console.log('installing')
  if (misbehave === 'busy') {
    console.error('Failed to contact rauc service: Already processing a different method')
    process.exit(1)
  }
  const bundle = JSON.parse(readFileSync(args[0], 'utf8'))
  console.log('  0% Installing\n 20% Checking bundle')
  if (!bundle.isSigned) fail('signature verification failed: Verify error: self-signed certificate')
  if (bundle.compatible !== slots.compatible)
    fail(`Compatible mismatch: Expected '${slots.compatible}' but bundle manifest has '${bundle.compatible}'`)
  slots.content[other] = null
  slots.bad.push(other)
  keep()
  console.log(' 40% Copying image to rootfs.1')
  if (misbehave === 'full') fail('Failed updating slot rootfs.1: No space left on device')
  if (misbehave === 'slow') await pause(1_000)
  if (misbehave === 'hang-install') await pause(60_000)
  slots.content[other] = bundle.version
  slots.bad = slots.bad.filter((at) => at !== other)
  if (misbehave !== 'unarmed') slots.oneShot = other
  keep()
  console.log('100% Installing done.\nInstalling succeeded')
} else process.exit(2)
