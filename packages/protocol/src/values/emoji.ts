/** Those that people write in a chat with a shop; screen readers know the name of each. */
export const EMOJI: readonly string[] = (
  '😀 😃 😄 😁 😅 😂 🙂 🙃 😉 😊 😇 🥰 😍 😘 😋 😜 🤔 🤗 🤩 😎 🥳 😏 😌 😐 😶 🙄 😬 😮 😯 😲 😳 🥺 😢 😭 😤 😠 😡 😱 😨 😰 ' +
  '😓 😴 😷 🤒 🤕 🤯 👍 👎 👌 ✌️ 🤞 🤝 👏 🙌 🙏 💪 👋 👀 🫶 ❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 🔥 ✨ ⭐ 🎉 🎁 🎂 ☀️ 🌧️ ⛄ 🌈 🌸 🌱 ' +
  '🐶 🐱 ☕ 🍕 🍰 🍷 🏠 🚗 ✈️ 🚲 📦 🚚 💳 💶 🧾 📷 📱 💻 🔌 🔋 🛒 👕 👟 👜 ⌚ 🔑 🔒 📎 📅 ⏰ ⏳ ✅ ❌ ❓ ❗ ⚠️ ➡️ 🔁 💡 💯'
).split(' ');
