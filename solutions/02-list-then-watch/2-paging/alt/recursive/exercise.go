// Package paging lists a collection page by page.
package paging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// page is a page of a list, as far as it is needed here.
type page struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
		// Continue asks for the next page. It is empty on the last.
		Continue string `json:"continue"`
		// RemainingItemCount is sent for some lists and not for others.
		RemainingItemCount *int `json:"remainingItemCount"`
	} `json:"metadata"`
	Items []struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	} `json:"items"`
}

// statusError is a refusal: the Status in the body of a response.
type statusError struct {
	Code     int    `json:"code"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Metadata struct {
		// Continue is set in some refusals of a page.
		// It goes on from the same name, in today's state of the collection.
		Continue string `json:"continue"`
	} `json:"metadata"`
}

// Error gives the server's words.
func (e *statusError) Error() string { return fmt.Sprintf("%d %s: %s", e.Code, e.Reason, e.Message) }

// get gets one page. A refusal by the server is a *statusError.
func get(ctx context.Context, client *http.Client, address string) (*page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		refusal := &statusError{Code: resp.StatusCode}
		json.NewDecoder(resp.Body).Decode(refusal)
		return nil, refusal
	}
	var p page
	return &p, json.NewDecoder(resp.Body).Decode(&p)
}

// List returns the names of all objects of the collection, and their resourceVersion.
func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	names, resourceVersion, err = from(ctx, client, collection, limit, "")
	if errors.Is(err, errForgotten) {
		return from(ctx, client, collection, 0, "")
	}
	return names, resourceVersion, err
}

var errForgotten = errors.New("the server has forgotten the list")

// from gets the page at the token and those after it.
func from(
	ctx context.Context, client *http.Client, collection string, limit int, token string,
) ([]string, string, error) {
	address := collection + "?limit=" + strconv.Itoa(limit)
	if token != "" {
		address += "&continue=" + url.QueryEscape(token)
	}
	if limit == 0 {
		address = collection
	}
	p, err := get(ctx, client, address)
	var refusal *statusError
	if errors.As(err, &refusal) && refusal.Code == http.StatusGone && token != "" {
		return nil, "", errForgotten
	}
	if err != nil {
		return nil, "", err
	}
	names := []string{}
	for _, item := range p.Items {
		names = append(names, item.Metadata.Name)
	}
	if p.Metadata.Continue == "" {
		return names, p.Metadata.ResourceVersion, nil
	}
	rest, resourceVersion, err := from(ctx, client, collection, limit, p.Metadata.Continue)
	if err != nil {
		return nil, "", err
	}
	return append(names, rest...), resourceVersion, nil
}
