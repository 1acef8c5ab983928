import { ApiError } from '../../lib/api.ts'

/** Saves what the box answers at this address as a file. Throws ApiError. */
export async function download(
  path: string,
  name: string,
  change = (text: Blob) => Promise.resolve(text),
): Promise<void> {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok) throw await refusal(response)
  const address = URL.createObjectURL(await change(await response.blob()))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

async function refusal(response: Response): Promise<ApiError> {
  const { errors = [] } = (await response.json().catch(() => ({}))) as { errors?: ApiError['errors'] }
  return new ApiError(response.status, errors, response.headers.get('retry-after'))
}
