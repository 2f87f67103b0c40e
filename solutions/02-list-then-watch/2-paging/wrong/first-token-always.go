// Breaks: A page with a continue token is followed by a request with that token, whatever the number of its objects is,
// and whatever its remainingItemCount.
// Caught by: TestPages
// Message: went on after 200 requests

//go:build wrong

package paging

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
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
		if !q.Has("continue") {
			q.Set("continue", p.Metadata.Continue)
		}
	}
}
