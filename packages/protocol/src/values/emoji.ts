/** Emoji that people use in chats with a shop. Screen readers know all their names. */
export const EMOJI: readonly string[] = (
  '😀 😃 😄 😁 😅 😂 🙂 🙃 😉 😊 😇 🥰 😍 😘 😋 😜 🤔 🤗 🤩 😎 🥳 😏 😌 😐 😶 🙄 😬 😮 😯 😲 😳 🥺 😢 😭 😤 😠 😡 😱 😨 😰 ' +
  '😓 😴 😷 🤒 🤕 🤯 👍 👎 👌 ✌️ 🤞 🤝 👏 🙌 🙏 💪 👋 👀 🫶 ❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 🔥 ✨ ⭐ 🎉 🎁 🎂 ☀️ 🌧️ ⛄ 🌈 🌸 🌱 ' +
  '🐶 🐱 ☕ 🍕 🍰 🍷 🏠 🚗 ✈️ 🚲 📦 🚚 💳 💶 🧾 📷 📱 💻 🔌 🔋 🛒 👕 👟 👜 ⌚ 🔑 🔒 📎 📅 ⏰ ⏳ ✅ ❌ ❓ ❗ ⚠️ ➡️ 🔁 💡 💯'
).split(' ');
