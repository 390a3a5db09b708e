// The search reads a leading minus as "not": options such as --lateness are found without it.
document.addEventListener("input", event => {
  const field = event.target
  if (!field.matches?.(".md-search__input")) return
  const plain = field.value.replace(/(^|\s)-+(?=\w)/g, "$1")
  if (plain === field.value) return
  event.stopImmediatePropagation()
  const typed = field.value
  field.value = plain
  field.dispatchEvent(new Event("input", { bubbles: true }))
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }))
  field.value = typed
}, true)
