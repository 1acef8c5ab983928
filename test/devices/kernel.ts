import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** A machine as its kernel shows it. */
export function kernel(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kernel-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const roots = { sys: join(root, 'sys'), dev: join(root, 'dev') }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${text}\n`)
  }
  const link = (path: string, target: string) => {
    mkdirSync(dirname(path), { recursive: true })
    mkdirSync(target, { recursive: true })
    symlinkSync(target, path)
  }
  function usb(port: string, says: Record<string, string>): string {
    const folder = join(roots.sys, 'devices/pci0/usb1', port)
    for (const [name, text] of Object.entries(says)) write(join(folder, name), text)
    return folder
  }
  function line(name: string, device: string): void {
    link(join(roots.sys, 'class/tty', name, 'device'), device)
    write(join(roots.dev, name), '')
  }
  return { roots, write, link, usb, line }
}
