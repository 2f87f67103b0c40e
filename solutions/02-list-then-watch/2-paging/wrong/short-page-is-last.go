// Misconception: a page that is not full is the last one.
// Caught by: TestPageSmallerThanTheLimit
// Message: the belief that a page with fewer objects than asked for is the last

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
		if p.Metadata.Continue == "" || len(p.Items) < limit {
			return names, p.Metadata.ResourceVersion, nil
		}
		q.Set("continue", p.Metadata.Continue)
	}
}
