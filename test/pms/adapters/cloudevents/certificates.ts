import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programMissing } from '../../../programs.ts'

interface Pair {
  cert: string
  key: string
}

/** Why tests with certificates are left out; false where they can be made. */
export const noOpenssl = programMissing('openssl')

/** PEM texts: an authority, what it has signed for a server on this machine (one has ended) and for a client, and one that nobody knows. */
export function certificates(): Record<'ca' | 'server' | 'ended' | 'client' | 'stranger', Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  try {
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    for (const name of ['ca', 'stranger']) {
      openssl(folder, `req -x509 ${key} -days 30 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`)
    }
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
    for (const [name, days] of [
      ['server', 30],
      ['client', 30],
      ['ended', -1],
    ]) {
      openssl(folder, `req ${key} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`)
      const signed = '-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names'
      openssl(folder, `x509 -req -in ${name}.csr ${signed} -days ${days} -out ${name}.pem`)
    }
    const text = (file: string) => readFileSync(join(folder, file), 'utf8')
    const pair = (name: string) => ({ cert: text(`${name}.pem`), key: text(`${name}.key`) })
    return {
      ca: pair('ca'),
      server: pair('server'),
      ended: pair('ended'),
      client: pair('client'),
      stranger: pair('stranger'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function openssl(cwd: string, line: string): void {
  const { status, stderr } = spawnSync('openssl', line.split(' '), { cwd })
  if (status !== 0) throw new Error(`openssl ${line}: ${stderr}`)
}
