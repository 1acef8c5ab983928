import { en, type GuestTexts } from './en.ts'
export const fr: GuestTexts = en
