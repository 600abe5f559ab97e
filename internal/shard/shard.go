package shard

import (
	"fmt"
	"regexp"
	"strconv"
)

// Shard is one of several parts. The zero value is the whole.
type Shard struct {
	// Index is from 0 to Of-1.
	Index int `json:"index"`
	Of    int `json:"of"`
}

// Most is how many parts there may be.
const Most = 9999

var form = regexp.MustCompile(`^([0-9]{1,4})/([0-9]{1,4})$`)

// Parse reads i/n, such as 0/3. As with kube-state-metrics, the first shard is
// number 0.
func Parse(text string) (Shard, error) {
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return Shard{}, fmt.Errorf("must be i/n, such as 0/3 for the first of three, got %.32q", text)
	}
	// Four digits always fit.
	index, _ := strconv.Atoi(parts[1])
	of, _ := strconv.Atoi(parts[2])
	if of < 1 || index >= of {
		return Shard{}, fmt.Errorf("must count from 0: of %d shards the last is %d/%d, got %s", of, max(of-1, 0), of, text)
	}
	return Shard{Index: index, Of: of}, nil
}

// String writes the shard as it is read.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, max(s.Of, 1)) }
