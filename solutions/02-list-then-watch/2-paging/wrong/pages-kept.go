// Misconception: after a 410 the list goes on, and the objects that are there stay.
// Caught by: TestExpired
// Message: the belief that pages add up whenever they were fetched

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
			q = url.Values{} // whole: a list of one page has no token that expires
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
