import { en, type WalkInTexts } from './en.ts'
export const fr: WalkInTexts = en
