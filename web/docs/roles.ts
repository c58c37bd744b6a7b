// The roles, in a reader's words.
const roleNames: Record<string, string> = {
  '*': 'anyone',
  customer: 'customers',
  restaurant: 'restaurant owners',
  delivery: 'drivers',
  admin: 'administrators',
}

interface Operation {
  description?: string
  'x-roles'?: string[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

// Puts what `x-roles` says into each operation's description.
export function describeRoles(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const roles = (operation['x-roles'] ?? []).map((role) => roleNames[role] ?? role)
    const callers = `**Who may call it:** ${roles.join(', ')}.`
    operation.description = operation.description ? `${operation.description}\n\n${callers}` : callers
  }
  return document
}
