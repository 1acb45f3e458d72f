package dev.holdfast.examples.service.shop;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** The bank of the customers: another system, which is slow. What it has authorised and is not claimed will lapse. */
@Component
class Bank {
    private final RestClient bank;
    private final String instance;

    Bank(@Value("${shop.bank}") String url, @Value("${spring.application.name}") String instance) {
        this.bank = RestClient.builder()
                .baseUrl(url)
                .requestFactory(new SimpleClientHttpRequestFactory()) // it has no threads that would have to be ended
                .build();
        this.instance = instance;
    }

    /** Returns when the bank has authorised the payment of one piece. */
    void authorise(String item) {
        bank.post()
                .uri("/authorisations/{shop}/{item}", instance, item)
                .retrieve()
                .toBodilessEntity();
    }
}
