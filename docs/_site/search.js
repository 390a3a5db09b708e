// The search reads a leading minus as "not". Options such as --lateness are found without it.
const post = Worker.prototype.postMessage
Worker.prototype.postMessage = function (message, ...rest) {
  if (typeof message?.data === "string") {
    message = { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") }
  }
  return post.call(this, message, ...rest)
}
