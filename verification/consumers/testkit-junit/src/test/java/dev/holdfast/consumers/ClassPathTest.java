package dev.holdfast.consumers;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The testkit brings no library that it does not use into the class path of tests. */
class ClassPathTest {
    @Test
    void unused_isAbsent() {
        for (String type : List.of("redis.clients.jedis.Jedis", "com.google.gson.Gson", "org.json.JSONObject")) {
            assertThrows(ClassNotFoundException.class, () -> Class.forName(type), type);
        }
    }
}
