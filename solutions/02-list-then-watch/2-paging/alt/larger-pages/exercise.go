// Package paging lists a collection page by page.
package paging

import (
	"context"
	"encoding/json"
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

// List asks for larger pages each time that it has to begin again, until one holds everything.
func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && q.Has("continue") {
			limit *= 2
			names = names[:0]
			q = url.Values{"limit": {strconv.Itoa(limit)}}
			continue
		}
		if err != nil {
			return nil, "", err
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, p.Metadata.ResourceVersion, nil
		}
		q.Set("continue", p.Metadata.Continue)
	}
}

// expired tells whether the server refused because it forgot.
func expired(err error) bool {
	refusal, ok := err.(*statusError)
	return ok && refusal.Code == http.StatusGone
}
