// Starts `lars2asp language-server` and lets VS Code talk to it.
const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async function () {
  const settings = workspace.getConfiguration("lars2asp");
  const run = {
    command: settings.get("command"),
    args: ["language-server"],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient(
    "lars2asp",
    "lars2asp",
    { run, debug: run },
    {
      documentSelector: [{ scheme: "file", language: "lars2asp" }],
      initializationOptions: {
        statistics: settings.get("statistics"),
        documentation: settings.get("documentation"),
      },
    }
  );
  await client.start();
};

exports.deactivate = () => client && client.stop();
