export async function run(_argv: string[], _entry: URL): Promise<void> {}
