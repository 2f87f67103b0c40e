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

// List returns the names of all objects of the collection, and the resourceVersion at which these
// were all objects: a watch may start from it.
// The collection is a URL without a query, limit is 1 or more.
//
//   - Each request goes through client, under ctx, and has no resourceVersion:
//     the list is of the newest state.
//   - Each request asks for at most limit objects, as long as no token was refused with a 410.
//   - A page with a continue token is followed by a request with that token, whatever the number of its
//     objects is, and whatever its remainingItemCount.
//   - A token may hold any characters, and the server gets it as it was.
//   - A page without a token is the last: no request follows.
//   - There is one name for each object, in the order of the pages. In two namespaces there may be
//     objects with the same name.
//   - A collection without objects has no names, and a resourceVersion.
//   - When the server refuses a token with a 410, it has forgotten the state that the pages are of: the
//     list is begun again, without a token.
//   - All names and the resourceVersion are of one state of the collection.
//   - List succeeds even if the server forgets every list that has a second page before it is asked for.
//   - Any other failure ends List without another request; so does a 410 for a request without a token.
//   - A List that fails returns no names, no resourceVersion, and the error of get, which it may wrap.
//   - No response's body is left open.
func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	//solution:begin
	//todo: get the first page and, while there is a continue token, the next; mind the 410
	//stub: p, err := get(ctx, client, collection+"?"+url.Values{"limit": {strconv.Itoa(limit)}}.Encode())
	//stub: if err != nil {
	//stub: 	return nil, "", err
	//stub: }
	//stub: return nil, p.Metadata.ResourceVersion, nil
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && q.Has("continue") {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
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
	//solution:end
}

//solution:begin

// expired tells whether the server refused because it forgot.
func expired(err error) bool {
	refusal, ok := err.(*statusError)
	return ok && refusal.Code == http.StatusGone
}

//solution:end
