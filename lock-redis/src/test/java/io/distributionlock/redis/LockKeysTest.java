package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("boot4")
class LockKeysTest {

    @Test
    void keysAreReadable() {
        assertThat(texts(new LockKeys("distribution-lock", "order:1"), "host-1-x:7"))
                .containsExactly(
                        "distribution-lock:{order:1}",
                        "distribution-lock:{order:1}:fence",
                        "distribution-lock:{order:1}:queue",
                        "distribution-lock:{order:1}:peers",
                        "distribution-lock:{order:1}:readers",
                        "distribution-lock:{order:1}:gone:host-1-x:7");
    }

    @Test
    void bracesInANameAreWrittenInAnotherWay() {
        assertThat(text(new LockKeys("p", "{a}%{").owner())).isEqualTo("p:{%7Ba%7D%25%7B}");
    }

    @Test
    void allKeysOfANameAreInOneSlotAndNoTwoNamesShareOne() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] alphabet = "{}%7BD25:ab\n\uD83D\uDD12单".codePoints().toArray();
        Map<String, String> nameOfKey = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(6);
            for (int c = 0; c < length; c++) {
                name.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
            }
            LockKeys keys = new LockKeys("distribution-lock", name.toString());
            int slot = SlotHash.getSlot(keys.owner());
            for (String key : texts(keys, "host:1")) {
                assertThat(SlotHash.getSlot(key))
                        .as("slot of %s, seed %d", key, seed)
                        .isEqualTo(slot);
                String other = nameOfKey.put(key, name.toString());
                assertThat(other == null || other.contentEquals(name))
                        .as("%s and %s have the key %s, seed %d", other, name, key, seed)
                        .isTrue();
            }
        }
    }

    private static List<String> texts(LockKeys keys, String claim) {
        List<byte[]> all = new ArrayList<>();
        keys.addTo(all);
        all.add(keys.tombstone(claim));
        return all.stream().map(LockKeysTest::text).toList();
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}
