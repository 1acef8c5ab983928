import { en, type GuestTexts } from './en.ts'
export const pt: GuestTexts = en
