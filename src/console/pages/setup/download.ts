import { documentOf } from '../lib/server/answer.ts'
import { replyOf } from '../lib/server/api.ts'

/** Downloads the answer of this address as a file. Throws ApiError. */
export async function download(
  path: string,
  name: string,
  change = (text: Blob) => Promise.resolve(text),
): Promise<void> {
  saveAs(await change(await fetched(path)), name)
}

/** Returns the answer of this address. Throws ApiError. */
export async function fetched(path: string): Promise<Blob> {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok) documentOf(await replyOf(response), 'done')
  return response.blob()
}

/** Saves a file, as the browser asks its person. */
export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
