// Breaks: Any other failure ends List without another request; so does a 410 for a request without a token.
// Caught by: TestExpiredWithoutAToken
// Message: the list that is begun again

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
	began := false
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && (q.Has("continue") || began) {
			began = true
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
}
