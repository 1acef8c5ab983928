import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { endpointsIn } from '../../src/host/firewall/endpoints.ts'
import { firewallRules } from '../../src/host/firewall/rules.ts'
import { programMissing } from '../programs.ts'

const script = join(import.meta.dirname, '../../image/mkosi/mkosi.extra/usr/lib/nightporter-box/firewall')

/**
 * A machine of its own: its network has the address 10.9.0.1 and a neighbour that answers nothing. `firewall` is the script of
 * root, and the program gives it the rules in /run/made, or fails.
 */
const machine = `set -eu
rules=$1
mount --make-rprivate /
for each in /run /opt /var/lib; do mount -t tmpfs none $each; done
mkdir -p /run/nightporter /run/nightporter-box /var/lib/nightporter-box /run/bin /opt/nightporter
cat >/opt/nightporter/nightporter <<'END'
#!/bin/sh
echo "$*" >>/run/calls
[ ! -e /run/fails ] || { echo 'the database is locked' >&2; exit 1; }
cat /run/made
END
printf '#!/bin/sh\\nwhile [ "$1" != /opt/nightporter/nightporter ]; do shift; done\\nexec "$@"\\n' >/run/bin/setpriv
printf '#!/bin/sh\\n' >/run/bin/chgrp
chmod +x /run/bin/* /opt/nightporter/nightporter
PATH=/run/bin:$PATH
ip link set lo up
ip link add own type veth peer name other
ip address add 10.9.0.1/24 dev own
ip -6 address add fd00::1/64 dev own nodad
ip link set own up
ip link set other up
ip neighbour add 10.9.0.2 lladdr 02:00:00:00:00:02 dev own
ip neighbour add fd00::2 lladdr 02:00:00:00:00:02 dev own
firewall() { sh "$0"; }
want() { : >/run/nightporter/firewall-wanted; }
calls() { cat /run/calls 2>/dev/null | wc -l; }
has() { grep -c "$1" /run/nightporter-box/firewall.nft || :; }
refused() { grep -o '"concat": *\\[[^]]*' /run/nightporter-box/firewall-refused.json | tr -d '"[ ' || :; }
connect() {
  "$NODE" -e 'const socket = require("net").connect({ host: process.argv[1], port: Number(process.argv[2]), timeout: 1500 })
    socket.on("error", ({ code }) => console.log(code)).on("timeout", () => { console.log("silent"); socket.destroy() })' "$1" "$2"
}
`

function inMachine(t: TestContext, steps: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'firewall-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const made = (name: string, ...urls: string[]) => {
    const endpoints = urls.flatMap(endpointsIn)
    writeFileSync(join(folder, name), firewallRules({ ports: [80, 443], endpoints, isOutOpen: false }))
  }
  made('one', 'tcp://10.9.0.2:5010')
  made('two', 'tcp://10.9.0.2:5010', 'tcp://10.9.0.2:5011', 'tcp://[fd00::2]:5012')
  writeFileSync(join(folder, 'broken'), 'table inet nightporter { chain input { no rule } }')
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', '--net', 'bash', '-c', machine + steps, script, folder],
    { encoding: 'utf8', env: { ...process.env, NODE: process.execPath }, timeout: 120_000 },
  )
  const lines = stdout.trim().split('\n')
  if (lines.at(-1) !== 'end') assert.fail(`${stdout}${stderr}`)
  return lines.slice(0, -1)
}

const mayRun = spawnSync('unshare', ['--mount', '--net', 'ip', 'link']).status === 0
const skip =
  programMissing('nft') || (mayRun ? false : 'left out: unshare may not make a network of its own here')

describe('the firewall of a box, in the kernel', { skip }, () => {
  it('refuses at once what the rules do not name, and says what it was', (t) => {
    const lines = inMachine(
      t,
      `cp $rules/two /run/made
firewall
for each in 5010 5011 5013 22 8080; do echo "$each $(connect 10.9.0.2 $each)"; done
echo "6 $(connect fd00::2 5012) $(connect fd00::2 5013)"
firewall
refused
echo end`,
    )
    assert.deepEqual(lines.slice(0, 6), [
      '5010 silent',
      '5011 silent',
      '5013 EHOSTUNREACH',
      '22 EHOSTUNREACH',
      '8080 EHOSTUNREACH',
      '6 silent EACCES',
    ])
    const refused = ['10.9.0.2,22', '10.9.0.2,5013', '10.9.0.2,8080', 'fd00::2,5013']
    assert.deepEqual(
      lines
        .slice(6)
        .map((each) => each.replace('concat:', ''))
        .sort(),
      refused,
    )
  })

  it('lets the answer out over a connection that is older than the rules', (t) => {
    const lines = inMachine(
      t,
      `cp $rules/one /run/made
unshare --net sleep 60 &
peer=$!
until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
ip link set other netns $peer
inside() { nsenter --target $peer --net "$@"; }
inside ip address add 10.9.0.2/24 dev other
inside ip link set other up
ip neighbour del 10.9.0.2 dev own
"$NODE" -e 'const { existsSync, writeFileSync } = require("fs")
  require("net").createServer((socket) => {
    writeFileSync("/run/open", "")
    const waiting = setInterval(() => existsSync("/run/loaded") && (clearInterval(waiting), socket.end("the answer")), 20)
  }).listen(443)' &
server=$!
inside "$NODE" -e 'const from = () => require("net").connect(443, "10.9.0.1").on("error", () => setTimeout(from, 100))
  .on("data", (data) => { console.log(String(data)); process.exit() })
  from(); setTimeout(() => { console.log("nothing"); process.exit() }, 10_000)' &
client=$!
for each in $(seq 100); do [ -e /run/open ] && break; sleep 0.1; done
firewall
: >/run/loaded
wait $client
kill $server $peer
echo end`,
    )
    assert.deepEqual(lines, ['the answer'])
  })

  it('follows a request at once, and forgets what was refused before', (t) => {
    const lines = inMachine(
      t,
      `cp $rules/one /run/made
firewall
echo "first: $(calls) $(has 5010) $(has 5011)"
firewall
echo "nothing asked: $(calls)"
connect 10.9.0.2 5011
firewall
refused
cp $rules/two /run/made
want
firewall
echo "asked: $(calls) $(has 5011) $(ls /run/nightporter)"
connect 10.9.0.2 5011
refused
tail -n 1 /run/calls
echo end`,
    )
    assert.deepEqual(lines, [
      'first: 1 1 0',
      'nothing asked: 1',
      'EHOSTUNREACH',
      'concat:10.9.0.2,5011',
      'asked: 2 1 ',
      'silent',
      'firewall --data /var/lib/nightporter --also /run/nightporter/firewall-also',
    ])
  })

  for (const [what, breaks, mends, says] of [
    ['the program', ': >/run/fails', 'rm /run/fails', 'the database is locked'],
    ['nft', 'cp $rules/broken /run/made', 'cp $rules/two /run/made', 'syntax error'],
  ])
    it(`keeps the rules before when ${what} fails, says why, and tries again without being asked`, (t) => {
      const lines = inMachine(
        t,
        `cp $rules/two /run/made
firewall
${breaks}
want
firewall
grep -c '${says}' /run/nightporter-box/firewall-problem
echo "kept: $(connect 10.9.0.2 5010) $(connect 10.9.0.2 5013)"
${mends}
firewall
ls /run/nightporter-box
echo end`,
      )
      assert.match(lines[0]!, new RegExp(`cannot be loaded: .*${says}`))
      assert.deepEqual(lines.slice(1, 3), ['1', 'kept: silent EHOSTUNREACH'])
      assert.ok(!lines.slice(3).includes('firewall-problem'), lines.join(' '))
    })

  it('has the rules of the run before from the first second, and again after they were deleted', (t) => {
    const lines = inMachine(
      t,
      `cp $rules/two /run/made
firewall
nft delete table inet nightporter
rm -r /run/nightporter-box
mkdir /run/nightporter-box
: >/run/fails
firewall
echo "$(calls) $(connect 10.9.0.2 5010) $(connect 10.9.0.2 5013)"
: >/var/lib/nightporter-box/firewall.nft
rm /run/fails
nft delete table inet nightporter
firewall
echo "$(calls) $(connect 10.9.0.2 5013)"
echo end`,
    )
    assert.deepEqual(lines, ['1 silent EHOSTUNREACH', '2 EHOSTUNREACH'])
  })
})
