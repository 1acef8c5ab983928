import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the kernel knows of the disk of a folder; null for unknown values. */
export interface DiskWear {
  /** The bytes written to the whole disk since the machine was switched on. */
  writtenBytes: number | null
  /** The part of its life that an eMMC says is used, in tenths: 0.1 for up to a tenth; above 1 when it is over. */
  lifeUsed: number | null
}

/** Sectors in the statistics of the kernel have this size, whatever the disk has. */
const sectorBytes = 512

/** Reads the wear of the disk that a folder is on. Never rejects: a folder may be on no disk, or on a disk without figures. */
export async function diskWear(folder: string, devices = '/sys/dev/block'): Promise<DiskWear> {
  try {
    const { dev } = await stat(folder)
    const disk = await wholeDisk(join(devices, deviceName(dev)))
    const figures = (await readFile(join(disk, 'stat'), 'utf8')).trim().split(/\s+/)
    const written = Number(figures[6])
    const writtenBytes = Number.isSafeInteger(written) ? written * sectorBytes : null
    return { writtenBytes, lifeUsed: await lifeUsedOf(disk) }
  } catch {
    return { writtenBytes: null, lifeUsed: null }
  }
}

/** Major and minor number of a device, as Linux packs them. */
export function deviceName(dev: number | bigint): string {
  const packed = BigInt(dev)
  const major = (packed >> 8n) & 0xfffn
  const minor = (packed & 0xffn) | ((packed >> 12n) & 0xfff00n)
  return `${major}:${minor}`
}

async function wholeDisk(device: string): Promise<string> {
  const path = await realpath(device)
  const isPartition = await readFile(join(path, 'partition')).then(
    () => true,
    () => false,
  )
  return isPartition ? join(path, '..') : path
}

/** An eMMC estimates the life of its two kinds of memory, such as `0x01 0x02`. 0 means that it does not. */
async function lifeUsedOf(disk: string): Promise<number | null> {
  const text = await readFile(join(disk, 'device', 'life_time'), 'utf8').catch(() => '')
  const tenths = Math.max(0, ...text.trim().split(/\s+/).map(Number).filter(Number.isInteger))
  return tenths === 0 ? null : tenths / 10
}
